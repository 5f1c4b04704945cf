/** A provider's prompt cache: which part of a request came before, message by message. */
import { createHash } from "node:crypto";
import type { Counted } from "./count.js";

export class PrefixCache {
  readonly #seen = new Set<string>();

  /** Tokens of the longest beginning that an earlier request had too: model, tools and instructions first, then whole messages. */
  share(body: any, counted: Counted): number {
    let tokens = 0;
    for (const [index, hash] of chain(body).entries()) {
      if (!this.#seen.has(hash)) break;
      tokens += index === 0 ? counted.fixed : counted.messages[index - 1]!;
    }
    return tokens;
  }

  /** A request that was answered is remembered. */
  remember(body: any): void {
    for (const hash of chain(body)) this.#seen.add(hash);
  }
}

/** One hash for the fixed part and one for each message, each over all that precedes it. */
function chain({ model, system, tools, messages }: any): string[] {
  let last = "";
  return [{ model, system, tools }, ...messages].map((part) => {
    last = createHash("sha256").update(last).update(canonical(part)).digest("base64");
    return last;
  });
}

/** JSON with its keys in order. Where the breakpoints stand decides what is stored, not what is the same. */
export function canonical(value: unknown): string {
  const ordered = (_: string, entry: unknown): unknown => {
    if (entry === null || typeof entry !== "object" || Array.isArray(entry)) return entry;
    const kept = Object.entries(entry).filter(([key]) => key !== "cache_control");
    return Object.fromEntries(kept.sort(([one], [other]) => (one < other ? -1 : 1)));
  };
  return JSON.stringify(value, ordered) ?? "";
}
