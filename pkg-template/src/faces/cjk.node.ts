/** Node, Deno and Bun: the face is read from the package when asked for. */
import { readFile } from "node:fs/promises";
import { faceFrom } from "./unpack.js";

const face = faceFrom(() => readFile(new URL("./cjk.bin", import.meta.url)));

/** See `cjk.ts`. */
export async function cjkFace(): Promise<Uint8Array> {
  return face();
}
