/** Values as rows: names, texts and bytes in parts. */

/** Bytes of a row at most. SQLite in a Durable Object refuses 2 MB; half of that leaves room for what stands beside. */
const ROW = 1_000_000;

/** Letters of a text that are never more than a row, at three bytes for each. */
const LETTERS = Math.floor(ROW / 3);

/** A name as it is stored. */
export const nameOf = (name: string): string => JSON.stringify(name);

/** A text of JSON in parts that each fit a row; one part for an empty text. */
export function inParts(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < text.length || at === 0; ) {
    let end = Math.min(at + LETTERS, text.length);
    // Never between the halves of a pair: neither half has a form in UTF-8.
    if (end < text.length && isHighHalf(text.charCodeAt(end - 1))) end--;
    parts.push(text.slice(at, end));
    at = Math.max(end, 1);
  }
  return parts;
}

const isHighHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** The parts of each row put together again; rows in order. */
export function textsOf(rows: readonly { seq: number; text: string }[]): string[] {
  const texts: string[] = [];
  let last: number | undefined;
  for (const { seq, text } of rows) {
    if (seq === last) texts[texts.length - 1] += text;
    else texts.push(text);
    last = seq;
  }
  return texts;
}

/** What a text of JSON holds; `undefined`, and `broken` is told, when it is none. */
export function heldBy(text: string, broken?: () => void): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    broken?.();
    return undefined;
  }
}

/** Bytes in parts that each fit a row; one part for no bytes. Each has a buffer of its own, which is what is bound. */
export function bytesOfParts(bytes: Uint8Array): ArrayBufferLike[] {
  const parts: ArrayBufferLike[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += ROW) parts.push(bytes.slice(at, at + ROW).buffer);
  return parts;
}

export function joined(parts: readonly ArrayBuffer[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(new Uint8Array(part), at);
    at += part.byteLength;
  }
  return bytes;
}
