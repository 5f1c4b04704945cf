// Timing and statistics.
import { performance } from "node:perf_hooks";

export const ascending = (list) => [...list].sort((a, b) => a - b);

/** The value below which this share of a list lies (nearest rank). */
export function quantile(list, share) {
  const sorted = ascending(list);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

export const median = (list) => quantile(list, 0.5);

export const sum = (list) => list.reduce((total, value) => total + value, 0);

/** Milliseconds of one call. Garbage is not collected before: a forced collection also throws away what makes the next call fast. */
export async function time(call) {
  const start = performance.now();
  await call();
  return performance.now() - start;
}

/** The shortest of some calls. */
export async function best(times, call) {
  let least = Infinity;
  for (let i = 0; i < times; i++) least = Math.min(least, await time(call));
  return least;
}

/**
 * Two calls, in turn. Of each the shortest counts, and their ratio: whatever else the machine does can only make a call longer, and it
 * hits the one as often as the other.
 */
export async function pair(rounds, floor, ours) {
  const least = { floor: Infinity, ours: Infinity };
  for (let round = 0; round < rounds; round++) {
    least.floor = Math.min(least.floor, await time(floor));
    least.ours = Math.min(least.ours, await time(ours));
  }
  return { ...least, ratio: least.ours / least.floor };
}
