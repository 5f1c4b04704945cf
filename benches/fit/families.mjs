// How the families differ from the two tokenizers that are fitted in full: a factor for each group of costs.
import { SCRIPT_NAMES } from "./shape.mjs";

/** In the order of the sums in estimate.rs. */
export const GROUPS = ["words", "digitGroups", "digits", "marks", "blanks", "endings", ...SCRIPT_NAMES];
const row = (changes = {}, all = 1) => GROUPS.map((group) => changes[group] ?? (group === "digits" ? 0 : all));

export const FAMILIES = {
  O200k: { base: "O200K", factors: row() },
  Cl100k: { base: "CL100K", factors: row() },
  Claude: { base: "CL100K", factors: row({}, 1.15) },
  Gemini: { base: "O200K", factors: row({ digits: 1, digitGroups: 0 }) },
  Llama: { base: "CL100K", factors: row() },
  Qwen: { base: "CL100K", factors: row({ digits: 1, digitGroups: 0 }) },
  Deepseek: { base: "O200K", factors: row() },
  Mistral: { base: "O200K", factors: row({ digits: 1, digitGroups: 0 }) },
  Other: { base: "CL100K", factors: row() },
};
