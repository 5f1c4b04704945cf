// The counters that the estimator stands beside.
import { clearMergeCache, encode } from "gpt-tokenizer/encoding/o200k_base";
import { estimateTokenCount } from "tokenx";

// Texts that look like control tokens are words here.
const plain = { disallowedSpecial: new Set() };

/** Tokens of OpenAI's o200k_base. */
export const exact = (text) => encode(text, plain).length;

/** Makes it forget the words whose tokens it remembers. */
export const forget = () => clearMergeCache();

/** The estimate of npm `tokenx`. */
export const tokenx = (text) => estimateTokenCount(text);
