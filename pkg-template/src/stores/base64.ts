/** Base64 that comes back to the letter. */

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** Six bits by character code; 64 where no letter of base64 stands. */
const BITS = new Uint8Array(128).fill(64);
for (let index = 0; index < 64; index++) BITS[LETTERS.charCodeAt(index)] = index;

/**
 * The bytes of `text` from letter `start` on; `undefined` when that is no base64, or not as `base64` below would write it: padded, in the
 * usual alphabet, no line breaks, no stray bits at the end. Decoded here and not by `atob`, which lets all of those pass.
 */
export function bytesIn(text: string, start: number): Uint8Array<ArrayBuffer> | undefined {
  const length = text.length - start;
  if (length <= 0 || length % 4 !== 0) return undefined;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((length / 4) * 3 - padding);
  const end = text.length - padding;
  let held = 0;
  let bits = 0;
  let at = 0;
  for (let index = start; index < end; index++) {
    const six = BITS[text.charCodeAt(index)] ?? 64;
    if (six === 64) return undefined;
    held = (held << 6) | six;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = held >> bits;
      held &= (1 << bits) - 1;
    }
  }
  return held === 0 ? bytes : undefined;
}

/** Bytes as base64, padded. */
export function base64(bytes: Uint8Array): string {
  const parts: string[] = [];
  // A multiple of three, so that parts join; and few enough to be arguments of one call.
  for (let at = 0; at < bytes.length; at += 24_576) parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 24_576))));
  return parts.join("");
}
