/** Loads a face of the package, packed with gzip. */
import { PalimpsestError } from "../errors.js";

/**
 * A function that loads a face from where this environment keeps it: once, however often it is called; after a failure, which has code
 * "load-failed", the next call tries again.
 */
export function faceFrom(source: () => Promise<ArrayBuffer | Uint8Array>): () => Promise<Uint8Array> {
  let loading: Promise<Uint8Array> | undefined;
  return () => (loading ??= load(source).catch((cause: unknown) => {
    loading = undefined;
    const words = cause instanceof Error ? cause.message : String(cause);
    const advice = "Serve the file cjk.bin beside the script of palimpsest/faces/cjk, or pass a font of your own.";
    throw new PalimpsestError("load-failed", `The face for Chinese, Japanese and Korean did not load: ${words}. ${advice}`, { cause });
  }));
}

async function load(source: () => Promise<ArrayBuffer | Uint8Array>): Promise<Uint8Array> {
  const packed = new Uint8Array((await source()) as Uint8Array);
  // Anything else is what a server answers for a file that it does not have.
  if (packed[0] !== 0x1f || packed[1] !== 0x8b) throw new Error("what arrived is not the file");
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
