/** A provider's prompt cache: which part of a request came before, message by message. */
import { createHash } from "node:crypto";
import type { Counted } from "./count.js";

export class PrefixCache {
  readonly #seen = new Set<string>();

  /** Tokens of the longest beginning that an earlier request had too: model, tools and instructions first, then whole messages. */
  share(chain: string[], counted: Counted): number {
    let tokens = 0;
    for (const [index, hash] of chain.entries()) {
      if (!this.#seen.has(hash)) break;
      tokens += index === 0 ? counted.fixed : counted.messages[index - 1]!;
    }
    return tokens;
  }

  /** A request that was answered is remembered. */
  remember(chain: string[]): void {
    for (const hash of chain) this.#seen.add(hash);
  }
}

const hashes = new Map<string, string>();

/** The same messages come again with every turn. */
function hashOf(part: unknown): string {
  const text = JSON.stringify(part);
  let hash = hashes.get(text);
  if (hash === undefined) {
    hash = digest(canonical(part));
    hashes.set(text, hash);
  }
  return hash;
}

const digest = (text: string): string => createHash("sha256").update(text).digest("base64");

/** One hash for the fixed part and one for each message, each over all that precedes it. */
export function chainOf({ model, system, tools, messages }: any): string[] {
  let last = "";
  return [{ model, system, tools }, ...messages].map((part) => (last = digest(last + hashOf(part))));
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
