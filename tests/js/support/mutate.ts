/** Random damage to a JSON value, the same for the same seed. */

export type Random = () => number;

/** A generator of numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const ODD = [null, true, 0, -1, 1e21, "", " ", "\0", "assistant", "tool", "tool_result", [], {}, [[]], { type: "text" }, { type: "image" }, "data:image/png;base64,iVBORw0KGgo="];

/** A copy with one to four changes somewhere within. */
export function mutated(value: unknown, random: Random): any {
  const copy = structuredClone(value);
  const changes = 1 + Math.floor(random() * 4);
  for (let change = 0; change < changes; change++) mutate(copy, random);
  return copy;
}

function mutate(root: unknown, random: Random): void {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  let holder: any = root;
  // Goes down at random, and stops more often than not before the leaves.
  for (;;) {
    const inner = Object.keys(holder).filter((key) => typeof holder[key] === "object" && holder[key] !== null);
    if (inner.length === 0 || random() < 0.2) break;
    holder = holder[pick(inner)];
  }
  const keys = Object.keys(holder);
  if (keys.length === 0) return;
  const [key, other] = [pick(keys), pick(keys)];
  const changes = [
    () => (Array.isArray(holder) ? holder.splice(Number(key), 1) : delete holder[key]),
    () => (holder[key] = structuredClone(pick(ODD))),
    () => ([holder[key], holder[other]] = [holder[other], holder[key]]),
    () => (Array.isArray(holder) ? holder.splice(Number(other), 0, structuredClone(holder[Number(key)])) : (holder[`${key}2`] = holder[key])),
    () => typeof holder[key] === "string" && (holder[key] = holder[key].slice(Math.floor(random() * holder[key].length))),
  ];
  pick(changes)();
}
