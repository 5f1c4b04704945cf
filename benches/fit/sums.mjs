// Exact counts split into the groups of estimate.rs, as the weights and the digest that fit.mjs wrote split them.
import { readFileSync } from "node:fs";
import { exact, pieces } from "./count.mjs";
import { split } from "./model.mjs";
import { ALPHABETS, Digest, LAYOUT, LENGTHS, SCRIPT_NAMES, SYMBOLS, UNKNOWNS, shape } from "./shape.mjs";

const meter = new URL("../../src/meter/", import.meta.url);
const source = readFileSync(new URL("weights.rs", meter), "utf8");
const file = readFileSync(new URL("digest.bin", meter));
const digest = new Digest(file.length / 8);
digest.words.set(new BigUint64Array(file.buffer.slice(file.byteOffset, file.byteOffset + file.length)));

/** The weights of one table, in tokens. */
function read(name) {
  const body = source.slice(source.indexOf(`static ${name}: Weights`));
  const weights = new Float64Array(UNKNOWNS);
  for (const [key, { at }] of Object.entries(LAYOUT)) {
    const numbers = key === "fixed" ? [256] : new RegExp(`\\b${key}: (\\[[^\\]]*\\]|\\d+)`).exec(body)[1].match(/\d+/g).map(Number);
    numbers.forEach((n, i) => (weights[at + i] = n / 256));
  }
  return weights;
}
const tables = { O200K: read("O200K"), CL100K: read("CL100K") };

const groups = Array.from({ length: UNKNOWNS }, (_, k) => {
  for (const [key, { at, length }] of Object.entries(LAYOUT)) {
    if (k < at || k >= at + length) continue;
    if (key.startsWith("word")) return "words";
    if (key === "ending") return "endings";
    if (key.startsWith("marks")) return "marks";
    if (key === "alphabet") return SCRIPT_NAMES[Math.floor((k - at) / LENGTHS / 4)];
    if (key === "alphabet_more") return SCRIPT_NAMES[k - at];
    // The start of a run of syllables counts with its first letter's script; Han stands for all three here.
    if (key === "syllable") return k - at < 2 ? "Han" : SCRIPT_NAMES[ALPHABETS + Math.floor((k - at - 2) / 3)];
    if (key === "symbol") return SCRIPT_NAMES[SYMBOLS + Math.floor((k - at) / 4)];
  }
  return "blanks";
});

/** What estimate.rs would say of a text by a table, before any factor, in tokens: for check.mjs. */
export function estimate(text, table) {
  let sum = 0;
  for (const piece of pieces(text)) {
    const [plain, glued] = split(piece);
    shape(Buffer.from(plain), glued, digest, (k, times) => (sum += tables[table][k] * times));
  }
  return sum;
}

const memo = new Map();
/** Tokens of a text by group, for the table O200K or CL100K. */
export function groupSums(text, table) {
  const sums = {};
  for (const piece of pieces(text)) {
    const [plain, glued] = split(piece);
    if (/^[0-9]+$/.test(plain)) {
      sums.digitGroups = (sums.digitGroups ?? 0) + 1;
      sums.digits = (sums.digits ?? 0) + plain.length;
      continue;
    }
    const key = `${table}${piece}`;
    let parts = memo.get(key);
    if (!parts) {
      const weights = tables[table];
      const by = {};
      shape(Buffer.from(plain), glued, digest, (k, times) => (by[groups[k]] = (by[groups[k]] ?? 0) + weights[k] * times));
      const estimate = Object.values(by).reduce((a, b) => a + b, 0);
      const truth = exact[table.toLowerCase()](plain);
      parts = Object.entries(by).map(([group, n]) => [group, estimate ? (n * truth) / estimate : 0]);
      memo.set(key, parts);
    }
    for (const [group, n] of parts) sums[group] = (sums[group] ?? 0) + n;
  }
  return sums;
}
