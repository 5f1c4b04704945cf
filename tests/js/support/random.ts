/** Random JSON from a seed: a failure can be run again. */

/** Numbers from 0 to 1 (xorshift, 32 bits). */
export function generator(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

const LETTERS = ["a", "Z", "0", " ", "\n", '"', "\\", "\u0000", "é", "ß", "字", "\u2028", "😀", "\ud800", "\udc00", "\u{10ffff}"];
const KEYS = ["role", "content", "type", "text", "__proto__", "constructor", "toString", "", "ключ", "0", "😀"];

export function randomText(random: () => number, length: number): string {
  let text = "";
  while (text.length < length) text += LETTERS[Math.floor(random() * LETTERS.length)];
  return text;
}

/** A value that `JSON.stringify` accepts, with what it leaves out mixed in. */
export function randomValue(random: () => number, depth: number): unknown {
  const kind = Math.floor(random() * (depth > 0 ? 10 : 7));
  switch (kind) {
    case 0:
      return null;
    case 1:
      return random() < 0.5;
    case 2:
      return [0, -0, 1, -1, 0.1, 1e21, 1e-7, Number.MAX_VALUE, Number.MIN_VALUE, NaN, Infinity, 2 ** 53][Math.floor(random() * 12)];
    case 3:
      return undefined;
    case 4:
    case 5:
      return randomText(random, Math.floor(random() ** 3 * 200));
    case 6:
      return [new Date(0), new String("boxed"), new Number(7), new Boolean(false), () => 1, Symbol("s"), new Map([[1, 2]])][Math.floor(random() * 7)];
    case 7:
      return Array.from({ length: Math.floor(random() * 5) }, () => randomValue(random, depth - 1));
    default: {
      const object = {};
      for (let i = Math.floor(random() * 5); i > 0; i--) {
        const key = KEYS[Math.floor(random() * KEYS.length)] ?? "";
        const value = randomValue(random, depth - 1);
        Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
      }
      return object;
    }
  }
}
