/** Cloudflare Workers: the face is a data module of the script; Wrangler takes `.bin` as one. */
import packed from "./cjk.bin";
import { faceFrom } from "./unpack.js";

const face = faceFrom(async () => packed);

/** See `cjk.ts`. */
export async function cjkFace(): Promise<Uint8Array> {
  return face();
}
