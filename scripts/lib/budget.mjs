// How large the product may get, and the sums that check it. The build fails above these.

import { gzipSync } from "node:zlib";

/** Budgets in bytes. */
export const budget = {
  /** The WebAssembly module as a server sends it, after gzip. A Worker's script may have 1 MB in all. */
  wasmGzip: 415_000,
  /** The packed npm package. */
  tarball: 1_390_000,
};

export const gzipSize = (bytes) => gzipSync(bytes, { level: 9 }).length;

export const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;

/** One line for each budget that is passed. */
export function overBudget(sizes) {
  return Object.keys(budget)
    .filter((name) => sizes[name] > budget[name])
    .map((name) => `${name} is ${kilobytes(sizes[name])}, the budget is ${kilobytes(budget[name])}`);
}
