// The scan of src/meter/estimate.rs once more, over one piece at a time: which weights a piece is the sum of.
// Keep in step with estimate/*.rs and classes.rs; `check.mjs` compares the two.

export const LENGTHS = 16;
export const SCRIPT_NAMES = [
  "Latin", "Greek", "Cyrillic", "Hebrew", "Arabic", "Devanagari", "Indic", "Thai", "OtherLetter", "Han", "Kana", "Hangul",
  "Latin1", "General", "CjkPunct", "FullWidth", "Arrow", "Box", "Misc", "Emoji", "Joiner", "OtherSymbol",
];
export const ALPHABETS = 9;
export const SYMBOLS = 12;
const LATIN = 0;

/** Where each table of weights begins in the one list of unknowns. */
export const LAYOUT = {};
let size = 0;
for (const [name, length] of [
  ["word", 8 * 4 * 3 * LENGTHS], ["word_more", 1], ["ending", 2], ["marks", 16], ["marks_turn", 1], ["marks_run", 1], ["blank_turn", 1],
  ["alphabet", ALPHABETS * 4 * LENGTHS], ["alphabet_more", ALPHABETS], ["syllable", 2 + 3 * 3], ["symbol", (22 - SYMBOLS) * 4],
  ["fixed", 1],
]) {
  LAYOUT[name] = { at: size, length };
  size += length;
}
export const UNKNOWNS = size;

const RANGES = [
  ["Latin", 0xaa, 0xaa, 0xb5, 0xb5, 0xba, 0xba, 0xc0, 0xd6, 0xd8, 0xf6, 0xf8, 0x2af, 0x300, 0x36f, 0x1e00, 0x1eff],
  ["Latin1", 0x80, 0xff],
  ["Greek", 0x370, 0x3ff, 0x1f00, 0x1fff],
  ["Cyrillic", 0x400, 0x52f, 0x1c80, 0x1c8f],
  ["Hebrew", 0x590, 0x5ff, 0xfb1d, 0xfb4f],
  ["OtherSymbol", 0x60c, 0x60c, 0x61b, 0x61b, 0x61f, 0x61f, 0x66a, 0x66d, 0x6d4, 0x6d4],
  ["Arabic", 0x600, 0x6ff, 0x750, 0x77f, 0x8a0, 0x8ff, 0xfb50, 0xfdff, 0xfe70, 0xfefe],
  ["OtherSymbol", 0x964, 0x965],
  ["Devanagari", 0x900, 0x97f],
  ["Indic", 0x980, 0xdff],
  ["OtherSymbol", 0xe3f, 0xe3f],
  ["Thai", 0xe00, 0xe7f],
  ["Hangul", 0x1100, 0x11ff, 0x3130, 0x318f, 0xac00, 0xd7ff],
  ["General", 0x2000, 0x200a, 0x2010, 0x2064, 0x20a0, 0x20cf],
  ["Joiner", 0x200b, 0x200f, 0xfe00, 0xfe0f, 0xfeff, 0xfeff],
  ["Box", 0x2500, 0x259f],
  ["Arrow", 0x2190, 0x24ff],
  ["Misc", 0x25a0, 0x2bff, 0x2065, 0x218f],
  ["Han", 0x3005, 0x3007, 0x3400, 0x9fff, 0xf900, 0xfaff, 0x20000, 0x3ffff],
  ["CjkPunct", 0x3000, 0x3040, 0x30fb, 0x30fb, 0x31c0, 0x31ef, 0x3200, 0x33ff],
  ["Kana", 0x3041, 0x30ff, 0x31f0, 0x31ff, 0xff66, 0xff9f],
  ["OtherLetter", 0x3100, 0x312f, 0x31a0, 0x31bf],
  ["FullWidth", 0xff00, 0xffef],
  ["Emoji", 0x1f000, 0x1faff],
  ["OtherLetter", 0xe80, 0xeff, 0x530, 0x58f, 0x700, 0x74f, 0x780, 0x89f, 0xf00, 0x10ff, 0x1200, 0x1c7f, 0x1c90, 0x1dff, 0x2c00, 0x2dff, 0xa000, 0xabff],
].map(([name, ...edges]) => [SCRIPT_NAMES.indexOf(name), edges]);

export function script(code) {
  for (const [name, edges] of RANGES) {
    for (let i = 0; i < edges.length; i += 2) if (code >= edges[i] && code <= edges[i + 1]) return name;
  }
  return 21;
}
const memo = new Map();
const scriptOf = (code) => {
  let s = memo.get(code);
  if (s === undefined) memo.set(code, (s = script(code)));
  return s;
};

const WORD = (1n << 64n) - 1n;
const FACTOR = 0x9e3779b97f4a7c15n;
/** Mixed in before the last product, so that pieces of several kinds can share the digest. */
const tag = (n) => (BigInt(n) * 0xd6e8feb86659fd93n) & WORD;
export const TAG = { word: (spaced, kase) => tag(1 + 4 * (spaced ? 1 : 0) + kase), marks: tag(9), letters: tag(10), alphabet: (spaced) => tag(11 + (spaced ? 1 : 0)) };

/** Up to eight bytes as one number, the first lowest. */
const number = (bytes, from, to) => {
  let word = 0n;
  for (let i = to - 1; i >= from; i--) word = (word << 8n) | BigInt(bytes[i]);
  return word;
};
/** The hash of a piece of at most eight bytes. */
export const hashOf = (bytes, from, to, tag) => finish(number(bytes, from, to), tag);
const finish = (word, tag) => {
  const h = ((word ^ tag) * FACTOR) & WORD;
  return h ^ (h >> 29n);
};

/** The hash of a word of an alphabet; ASCII letters in small, and then the tag tells of capitals. */
export function wordHash(bytes, from, to, tag, ascii = true) {
  let state = 0n;
  for (let first = true; ; first = false) {
    const count = Math.min(8, to - from);
    const chunk = ascii ? number(bytes.slice(from, from + count).map((b) => b | 32), 0, count) : number(bytes, from, from + count);
    if (first) state = chunk;
    else {
      state = (state * FACTOR) & WORD;
      state = ((state << 29n) | (state >> 35n)) & WORD;
      state ^= chunk;
    }
    from += count;
    if (count < 8) return finish(state, tag);
  }
}

/** The digest of the vocabulary: a Bloom filter in blocks of 64 bits; three bits a word, six bits anything else. */
export class Digest {
  constructor(blocks) {
    this.blocks = BigInt(blocks);
    this.words = new BigUint64Array(blocks);
  }
  spot(hash, bits) {
    let mask = 0n;
    for (let i = 0n; i < bits; i++) mask |= 1n << ((hash >> (6n * i)) & 63n);
    return [Number(((hash >> 32n) * this.blocks) >> 32n), mask];
  }
  add(hash, bits) {
    const [block, mask] = this.spot(hash, bits);
    this.words[block] |= mask;
  }
  has(hash, bits) {
    const [block, mask] = this.spot(hash, bits);
    return (this.words[block] & mask) === mask ? 1 : 0;
  }
}

const isLetter = (b) => (b >= 65 && b <= 90) || (b >= 97 && b <= 122);
const isCapital = (b) => b >= 65 && b <= 90;
const isDigit = (b) => b >= 48 && b <= 57;
const isBlank = (b) => b === 32 || b === 9 || b === 11 || b === 12;
const isNewline = (b) => b === 10 || b === 13;
const isMark = (b) => b < 128 && !isLetter(b) && !isDigit(b) && !isBlank(b) && !isNewline(b);
export const lead = (b) => ({ 32: 2, 95: 3, 46: 4, 45: 5, 40: 5, 60: 5, 47: 6, 92: 6, 9: 6, 91: 6, 61: 6 })[b] ?? 7;

/** 0 small letters, 1 a capital first, 2 capitals, 3 some of both. */
export function caseOf(bytes, from, to) {
  let capitals = 0;
  for (let i = from; i < to; i++) capitals += isCapital(bytes[i]) ? 1 : 0;
  return capitals === 0 ? 0 : capitals === 1 && isCapital(bytes[from]) ? 1 : capitals === to - from ? 2 : 3;
}

function decode(bytes, at) {
  const b = bytes[at];
  if (b === undefined) return [0, 0];
  if (b < 0x80) return [b, 1];
  const size = b >= 0xf0 ? 4 : b >= 0xe0 ? 3 : 2;
  let code = b & (0xff >> (size + 1));
  for (let i = 1; i < size; i++) code = (code << 6) | (bytes[at + i] & 0x3f);
  return [code, size];
}

/** Calls `emit(weight, times)` for every weight the piece is the sum of. */
export function shape(bytes, glued, digest, emit) {
  const { word, word_more, ending, marks, marks_turn, marks_run, blank_turn, alphabet, alphabet_more, syllable, symbol, fixed } = LAYOUT;
  let at = 0;
  let state = glued ? 1 : 0;
  const n = bytes.length;
  const runOf = (start, of, spaced) => {
    let end = start;
    let length = 0;
    while (end < n) {
      let size = 1;
      if (bytes[end] < 0x80) {
        if (of !== LATIN || !isLetter(bytes[end])) break;
      } else {
        const [code, s] = decode(bytes, end);
        if (scriptOf(code) !== of) break;
        size = s;
      }
      end += size;
      length++;
    }
    const known = digest ? digest.has(wordHash(bytes, start, end, TAG.alphabet(spaced), false), 3n) : 0;
    emit(alphabet.at + ((of * 2 + spaced) * 2 + known) * LENGTHS + Math.min(Math.max(length, 1), LENGTHS) - 1, 1);
    if (length > LENGTHS) emit(alphabet_more.at + of, length - LENGTHS);
    return end;
  };
  const wordAt = (start, before) => {
    let end = start + 1;
    while (end < n && isLetter(bytes[end]) && !(isCapital(bytes[end]) && !isCapital(bytes[end - 1]))) end++;
    const length = end - start;
    const kase = caseOf(bytes, start, end);
    if (end < n && bytes[end] >= 0x80 && scriptOf(decode(bytes, end)[0]) === LATIN) return runOf(start, LATIN, before === 2 ? 1 : 0);
    const has = (spaced, as) => digest.has(wordHash(bytes, start, end, TAG.word(spaced, as)), 3n);
    // 1 for a word the digest holds as it stands, 2 when it holds it in small letters after a space, else 0.
    const level = !digest ? 0 : has(before === 2, kase) ? 1 : has(true, 0) ? 2 : 0;
    emit(word.at + ((before * 4 + kase) * 3 + level) * LENGTHS + Math.min(length, LENGTHS) - 1, 1);
    if (length > LENGTHS) emit(word_more.at, length - LENGTHS);
    if (bytes[end] === 39) {
      const low = (i) => String.fromCharCode(bytes[i] ?? 0).toLowerCase();
      const [a, b] = [low(end + 1), low(end + 2)];
      if (a === "s") { emit(ending.at, 1); end += 2; }
      else if (/[tmd]/.test(a)) { emit(ending.at + 1, 1); end += 2; }
      else if (["re", "ve", "ll"].includes(a + b)) { emit(ending.at + 1, 1); end += 3; }
    }
    return end;
  };
  const marksAt = (start, first) => {
    let end = first;
    let turns = 0;
    let before = -1;
    while (end < n && isMark(bytes[end])) { turns += bytes[end] !== before; before = bytes[end++]; }
    const length = end - first;
    while (end < n && (isNewline(bytes[end]) || bytes[end] === 47)) { turns += bytes[end] !== before; before = bytes[end++]; }
    const whole = end - start;
    // A mark of its own is always known.
    const known = end - first === 1 ? 1 : digest && whole <= 8 ? digest.has(hashOf(bytes, start, end, TAG.marks), 6n) : 0;
    emit(marks.at + (Math.min(turns, 8) - 1) * 2 + known, 1);
    if (turns > 8) emit(marks_turn.at, turns - 8);
    if (length > turns + 16) emit(marks_run.at, Math.floor((length - turns) / 16));
    return end;
  };
  const blanksAt = (start) => {
    let end = start;
    let line = start;
    let turns = 0;
    let before = 0;
    while (end < n && (isBlank(bytes[end]) || isNewline(bytes[end]))) {
      if (isNewline(bytes[end])) line = end + 1;
      turns += bytes[end] !== before;
      before = bytes[end++];
    }
    end = line > start ? line : end === n || end === start + 1 ? end : end - 1;
    emit(fixed.at, 1 + Math.floor((end - start - 1) / 128));
    if (turns > 3) emit(blank_turn.at, turns - 3);
    return end;
  };
  const syllablesAt = (start, spaced) => {
    let [code, size] = decode(bytes, start);
    let here = scriptOf(code);
    let from = start;
    let end = start + size;
    const inside = (s) => s >= ALPHABETS && s < SYMBOLS;
    emit(syllable.at + spaced, 1);
    for (;;) {
      const [next, bytesNext] = decode(bytes, end);
      const after = bytesNext === 0 ? 21 : scriptOf(next);
      const row = syllable.at + 2 + (here - ALPHABETS) * 3;
      if (inside(after) && digest?.has(hashOf(bytes, from, end + bytesNext, TAG.letters), 6n)) {
        emit(row, 1);
        from = end + bytesNext;
        [code, size] = decode(bytes, from);
        here = size === 0 ? 21 : scriptOf(code);
        if (!inside(here)) return from;
        end = from + size;
        continue;
      }
      const single = digest ? digest.has(hashOf(bytes, from, end, TAG.letters), 6n) : 0;
      emit(row + 2 - single, 1);
      if (!inside(after)) return end;
      from = end;
      end += bytesNext;
      here = after;
    }
  };
  const symbolsAt = (start, of) => {
    let end = start;
    let before = -1;
    while (end < n && bytes[end] >= 0x80) {
      const [code, size] = decode(bytes, end);
      if (scriptOf(code) !== of) break;
      const known = digest ? digest.has(hashOf(bytes, end, end + size, TAG.letters), 6n) : 0;
      emit(symbol.at + (of - SYMBOLS) * 4 + (before === code ? 3 : known ? 2 : before < 0 ? 0 : 1), 1);
      before = code;
      end += size;
    }
    while (end > start && end < n && isNewline(bytes[end])) end++;
    return end;
  };
  const wideAt = (start, spaced) => {
    const s = scriptOf(decode(bytes, start)[0]);
    return s < ALPHABETS ? runOf(start, s, spaced) : s < SYMBOLS ? syllablesAt(start, spaced) : symbolsAt(start, s);
  };
  while (at < n) {
    const b = bytes[at];
    const next = bytes[at + 1] ?? 10;
    if (isLetter(b)) { at = wordAt(at, state); state = 1; }
    else if (isLetter(next) && (isBlank(b) || isMark(b))) { at = wordAt(at + 1, lead(b)); state = 1; }
    else if (isDigit(b)) {
      let end = at;
      while (end < n && isDigit(bytes[end])) end++;
      emit(fixed.at, Math.ceil((end - at) / 3));
      at = end;
      state = 1;
    } else {
      at = isMark(b) ? marksAt(at, at)
        : b === 32 && isMark(next) ? marksAt(at, at + 1)
        : b >= 0x80 ? wideAt(at, 0)
        : b === 32 && next >= 0x80 ? wideAt(at + 1, 1)
        : blanksAt(at);
      state = 0;
    }
  }
}
