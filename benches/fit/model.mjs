// Choosing the digest and solving for the weights.
import { ALPHABETS, Digest, LAYOUT, LENGTHS, SYMBOLS, TAG, UNKNOWNS, caseOf, hashOf, script, shape, wordHash } from "./shape.mjs";

/** How much each kind of text counts, whatever its size: what conversations with models are made of. */
/** Tokens of a word whose plain form the digest holds, as the choice of entries supposes. */
const KIN = 1.25;
/** How much a token's rank counts by sort: what is installed on a machine is
 * mostly English, and holds least of Chinese, Japanese and Korean. */
const WORLD = { word: 1, marks: 0.6, syllable: 7, alphabet: 2 };
/** How common a token of this rank is in the wide world, per million pieces. */
const world = (rank) => 60_000 / (rank + 3_000);
export const SHARE = {
  docs: 18, prose: 14, letter: 10, gloss: 4, man: 2, dts: 4, code: 8, js: 6, python: 10, rust: 5, config: 4, json: 4, wire: 7, agent: 10, css: 2, markup: 3, synthetic: 4, lang: 12,
};

/** The piece without its mark for "glued", as bytes. */
export const split = (piece) => (piece.length > 1 && piece[0] === "\u0001" && /[A-Za-z]/.test(piece[1]) ? [piece.slice(1), true] : [piece, false]);

/** The one alphabet a word of two letters or more is written in, -1 when there is none or it is ASCII. */
function alphabetOf(word) {
  const letters = [...word];
  if (letters.length < 2 || /^[\x00-\x7f]*$/.test(word)) return -1;
  const all = new Set(letters.map((c) => (/[A-Za-z]/.test(c) ? 0 : c < "\x80" ? 99 : script(c.codePointAt(0)))));
  const [one] = all;
  return all.size === 1 && one < ALPHABETS ? one : -1;
}

/**
 * What the digest may hold of the vocabulary: hash, weight per million pieces. Rank in the vocabulary stands for how
 * common a token is in the wide world, the counted text for how common it is on a developer's machine.
 */
function candidates(vocabulary, frequency) {
  const out = [];
  const ranks = new Map(vocabulary);
  for (const [token, rank] of vocabulary) {
    const bytes = Buffer.from(token);
    let hash;
    let sort;
    let unknown = 1.6;
    const space = bytes[0] === 32 ? 1 : 0;
    if (/^ ?[A-Za-z]+$/.test(token)) {
      if (bytes.length - space < 3 && space) continue;
      hash = wordHash(bytes, space, bytes.length, TAG.word(space, caseOf(bytes, space, bytes.length)));
      sort = "word";
      // Where the plain form is held the others are half known.
      if (!/^ [a-z]+$/.test(token) && (ranks.get(` ${token.trim().toLowerCase()}`) ?? 1e9) < 40_000) unknown = KIN;
    } else if (/^ ?[!-/:-@[-`{-~]+[\r\n]*$/.test(token)) {
      if (bytes.length < 2 || bytes.length > 8) continue;
      hash = hashOf(bytes, 0, bytes.length, TAG.marks);
      sort = "marks";
    } else if (alphabetOf(token.slice(space)) >= 0) {
      hash = wordHash(bytes, space, bytes.length, TAG.alphabet(space), false);
      sort = "alphabet";
    } else {
      const letters = [...token];
      if (letters.length > 2 || !letters.every((c) => { const s = c < "\x80" ? 99 : script(c.codePointAt(0)); return s >= ALPHABETS && s < 99; })) continue;
      if (letters.length > 1 && letters.some((c) => script(c.codePointAt(0)) >= SYMBOLS)) continue;
      hash = hashOf(bytes, 0, bytes.length, TAG.letters);
      sort = "syllable";
      unknown = letters.length > 1 ? 1.7 : 2;
    }
    out.push({ token, sort, hash, gain: (world(rank) * WORLD[sort] + (frequency.get(token) ?? 0)) * (unknown - 1) });
  }
  return out;
}

/** The digest of `blocks` × 64 bits, filled with the entries worth most. */
export function digestOf(vocabulary, frequency, blocks, entries) {
  const list = candidates(vocabulary, frequency).sort((a, b) => b.gain - a.gain || (a.token < b.token ? -1 : 1));
  const digest = new Digest(blocks);
  const chosen = {};
  for (const { hash, sort } of list.slice(0, entries)) {
    digest.add(hash, sort === "word" || sort === "alphabet" ? 3n : 6n);
    chosen[sort] = (chosen[sort] ?? 0) + 1;
  }
  return { digest, chosen };
}

/**
 * Weighted least squares with a pull towards a prior, by coordinate descent, no weight below zero.
 * `rows` are `{ weight, count, cells: [[unknown, times]] }`. Shortfalls count `tilt` times as much as excesses.
 */
export function solve(rows, prior, { pull = 2, rounds = 60, tilt = 1 } = {}) {
  const w = Float64Array.from(prior);
  const uses = Array.from({ length: w.length }, () => []);
  const rest = new Float64Array(rows.length);
  rows.forEach(({ count, cells }, r) => {
    rest[r] = count;
    for (const [k, times] of cells) {
      rest[r] -= w[k] * times;
      uses[k].push([r, times]);
    }
  });
  for (let round = 0; round < rounds; round++) {
    let moved = 0;
    for (let k = 0; k < w.length; k++) {
      if (!uses[k].length) continue;
      let top = pull * (prior[k] - w[k]);
      let bottom = pull;
      for (const [r, times] of uses[k]) {
        const weight = rows[r].weight * (rest[r] > 0 ? tilt : 1) * times;
        top += weight * rest[r];
        bottom += weight * times;
      }
      const step = Math.max(-w[k], top / bottom);
      if (!step) continue;
      w[k] += step;
      moved = Math.max(moved, Math.abs(step));
      for (const [r, times] of uses[k]) rest[r] -= step * times;
    }
    if (moved < 1e-5) break;
  }
  return w;
}

/** What is believed before any text is seen, in tokens. */
export function prior() {
  const p = new Float64Array(UNKNOWNS);
  const fill = (name, make) => {
    for (let i = 0; i < LAYOUT[name].length; i++) p[LAYOUT[name].at + i] = make(i);
  };
  fill("word", (i) => {
    const length = (i % LENGTHS) + 1;
    const level = Math.floor(i / LENGTHS) % 3;
    const before = Math.floor(i / LENGTHS / 12);
    return (before > 2 ? 0.6 : 0) + [0.8 + 0.2 * length, 1, 1.2][level];
  });
  fill("word_more", () => 0.3);
  fill("ending", (i) => [0.6, 0.05][i]);
  fill("marks", (i) => (i % 2 ? 1 : 0.9 + 0.35 * (i >> 1)));
  fill("marks_turn", () => 0.45);
  fill("marks_run", () => 0.3);
  fill("blank_turn", () => 0.4);
  fill("alphabet", (i) => (Math.floor(i / LENGTHS) % 2 ? 1 : 0.9 + 0.3 * (i % LENGTHS)));
  fill("alphabet_more", () => 0.4);
  fill("syllable", (i) => (i < 2 ? 0.1 : [1, 1, 2][(i - 2) % 3]));
  fill("symbol", (i) => [1.4, 1.4, 1, 0.5][i % 4]);
  fill("fixed", () => 1);
  return p;
}

/**
 * Rows of the fit. `counted` holds `[piece, weight per million, exact count]`; the words of the vocabulary, each one
 * token, join them by their rank: without them the words of the wide world that the text lacks would cost too much.
 */
export function rowsOf(counted, vocabulary, digest) {
  const rows = [];
  const add = (piece, weight, count) => {
    const [text, glued] = split(piece);
    const cells = new Map();
    shape(Buffer.from(text), glued, digest, (k, times) => cells.set(k, (cells.get(k) ?? 0) + times));
    // Long pieces would outweigh all others by their square.
    rows.push({ weight: weight / Math.max(1, count / 4), count, cells: [...cells] });
  };
  for (const [piece, weight, count] of counted) add(piece, weight, count);
  for (const [token, rank] of vocabulary) {
    if (/^ ?[A-Za-z]+$/.test(token)) add(token, 0.2 * world(rank), 1);
    else if (alphabetOf(token.trimStart()) >= 0) add(token, 0.05 * world(rank), 1);
  }
  return rows;
}
