// Fits the constants of src/meter and writes them: weights.rs and digest.bin. See README.md.
//   node fit.mjs [--counts FILE]     FILE keeps the counted pieces, so that a second run is quick
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { exact, pieces, vocabulary } from "./count.mjs";
import { SHARE, digestOf, prior, rowsOf, solve, split } from "./model.mjs";
import { LAYOUT, UNKNOWNS } from "./shape.mjs";
import { sources } from "./sources.mjs";
import { FAMILIES } from "./families.mjs";

const BLOCKS = 2048;
const ENTRIES = 25_000;
const TARGET = process.env.FIT_OUT ? new URL(process.env.FIT_OUT) : new URL("../../src/meter/", import.meta.url);

/** Languages many people write; the others, some of a single text, count a tenth. */
const WIDESPREAD = /^(ar|bg|cs|da|de|el|es|fa|fi|fr|he|hi|hu|id|it|ja|ko|nb|nl|no|pl|pt|ro|ru|sk|sr|sv|th|tr|uk|vi|zh)\b/i;
/** Translations are there for their scripts; English and code decide what a Latin word costs. */
const LATIN_OF_TRANSLATIONS = 0.1;

/** Occurrences per million of each piece, every kind of text at its share. */
function countAll() {
  const kinds = {};
  for (const { kind, lang, text } of sources()) {
    const entry = (kinds[kind] ??= { total: 0, pieces: new Map() });
    const weight = lang && !WIDESPREAD.test(lang) ? 0.1 : 1;
    for (const piece of pieces(text)) {
      const w = kind === "lang" && /^[\x00-\x7f]*$/.test(piece) ? weight * LATIN_OF_TRANSLATIONS : weight;
      entry.total += weight;
      entry.pieces.set(piece, (entry.pieces.get(piece) ?? 0) + w);
    }
  }
  const shares = Object.values(SHARE).reduce((a, b) => a + b);
  const all = new Map();
  for (const [kind, { total, pieces }] of Object.entries(kinds)) {
    const scale = ((SHARE[kind] / shares) * 1e6) / total;
    for (const [piece, n] of pieces) all.set(piece, (all.get(piece) ?? 0) + n * scale);
  }
  return [...all].map(([piece, n]) => [piece, n, exact.o200k(split(piece)[0]), exact.cl100k(split(piece)[0])]);
}

/** Occurrences of what the digest may hold: whole pieces, words after a mark, letters and pairs of other scripts. */
function frequencies(counted) {
  const out = new Map();
  const add = (key, n) => out.set(key, (out.get(key) ?? 0) + n);
  for (const [marked, n] of counted) {
    const [piece] = split(marked);
    add(piece, n);
    const word = /^[^A-Za-z0-9 \r\n]([A-Za-z]+)$/.exec(piece);
    if (word) add(word[1], n / 2);
    if (/[^\x00-\u024f]/.test(piece)) {
      const letters = [...piece];
      letters.forEach((letter, i) => {
        add(letter, n);
        if (i + 1 < letters.length) add(letter + letters[i + 1], n);
      });
    }
  }
  return out;
}

const fileAt = process.argv.indexOf("--counts");
const file = fileAt > 0 ? process.argv[fileAt + 1] : undefined;
const counted = file && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : countAll();
if (file && !existsSync(file)) writeFileSync(file, JSON.stringify(counted));

const words = vocabulary();
const { digest, chosen } = digestOf(words, frequencies(counted), BLOCKS, ENTRIES);
console.error(`${counted.length} pieces; digest ${BLOCKS * 8} bytes:`, chosen);
const solved = {};
for (const [name, column] of [["O200K", 2], ["CL100K", 3]]) {
  const known = name === "O200K" ? words : words.filter(([token]) => exact.cl100k(token) === 1);
  solved[name] = solve(rowsOf(counted.map((row) => [row[0], row[1], row[column]]), known, digest), prior());
}

const fixed = (x) => Math.min(65535, Math.round(x * 256));
const list = (values, perLine) => {
  const numbers = [...values].map(fixed);
  if (numbers.length <= perLine) return `[${numbers.join(", ")}]`;
  const lines = [];
  for (let i = 0; i < numbers.length; i += perLine) lines.push(`        ${numbers.slice(i, i + perLine).join(", ")},`);
  return `[\n${lines.join("\n")}\n    ]`;
};
const table = (name) => {
  const field = (key) => {
    const { at, length } = LAYOUT[key];
    return length === 1 ? `    ${key}: ${fixed(solved[name][at])},` : `    ${key}: ${list(solved[name].slice(at, at + length), 32)},`;
  };
  return `#[rustfmt::skip]\nstatic ${name}: Weights = Weights {\n${Object.keys(LAYOUT).filter((key) => key !== "fixed").map(field).join("\n")}\n};\n`;
};
const families = Object.entries(FAMILIES).map(([name, { base, factors }]) => `    Family { weights: &${base}, factors: [${factors.map(fixed).join(", ")}] }, // ${name}`);

writeFileSync(new URL("digest.bin", TARGET), Buffer.from(digest.words.buffer));
const template = readFileSync(new URL("weights.template.rs", import.meta.url), "utf8");
writeFileSync(
  new URL("weights.rs", TARGET),
  template.replace("/*BLOCKS*/", String(BLOCKS)).replace("/*COUNT*/", String(Object.keys(FAMILIES).length)).replace("/*FAMILIES*/", families.join("\n")).replace("/*TABLES*/", ["O200K", "CL100K"].map(table).join("\n")),
);
console.log(`wrote ${UNKNOWNS} weights for two tokenizers, ${families.length} families`);
