// Pieces and their exact counts.
import * as o200k from "gpt-tokenizer/encoding/o200k_base";
import * as cl100k from "gpt-tokenizer/encoding/cl100k_base";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ENDING = "(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])";
/** The cuts of o200k_base; cl100k_base cuts nearly the same (it does not cut at capitals, its merges mostly do). */
const CUTS = new RegExp(
  `[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+${ENDING}?` +
    `|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*${ENDING}?` +
    `|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`,
  "gu",
);

const plain = { disallowedSpecial: new Set() };
export const exact = { o200k: (text) => o200k.encode(text, plain).length, cl100k: (text) => cl100k.encode(text, plain).length };

/** Pieces of a text, each after `\u0001` when a letter or digit stands right before it. */
export function* pieces(text) {
  let end = 0;
  for (const { 0: piece, index } of text.matchAll(CUTS)) {
    yield index > 0 && index === end && /[A-Za-z0-9]/.test(text[index - 1]) && /[A-Za-z]/.test(piece[0]) ? `\u0001${piece}` : piece;
    end = index + piece.length;
  }
}

/** The vocabulary of o200k_base that is valid UTF-8, as `[token, rank]`, commonest first. */
export function vocabulary() {
  const path = fileURLToPath(new URL("./node_modules/gpt-tokenizer/data/o200k_base.tiktoken", import.meta.url));
  const out = [];
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const [token, rank] = line.split(" ");
    if (!rank) continue;
    const text = Buffer.from(token, "base64").toString("utf8");
    if (!text.includes("\ufffd")) out.push([text, Number(rank)]);
  }
  return out;
}
