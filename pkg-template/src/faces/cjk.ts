/** Browsers and bundlers: the face is fetched when asked for, from beside the script. */
import { faceFrom } from "./unpack.js";

const face = faceFrom(async () => {
  const url = new URL("./cjk.bin", import.meta.url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.href} answered ${response.status}`);
  return response.arrayBuffer();
});

/**
 * A face for Chinese (simplified and traditional), Japanese and Korean, for the option `fonts`: a TrueType font of bitmaps, drawn for 12 pixels
 * an em, which is two cells of 6×12; in larger cells it stays as it is, with more room around. Loaded on the first call, then kept: treat the
 * bytes as read-only. Rejects with code "load-failed".
 *
 * It is made from Fusion Pixel (SIL Open Font License 1.1); its licence lies beside it in `faces/LICENSE-cjk.txt`.
 */
export async function cjkFace(): Promise<Uint8Array> {
  return face();
}
