/** Compaction records of a conversation, by id. What the core finds again goes by the id it was laid under. */
import { newId } from "./ids.js";
import type { CompactionRecord } from "../types.js";

/** Fields of a record that name messages. `drawnFrom` is the core's own: where the pages begin, when messages before stand on none. */
const ENDS = ["from", "to", "drawnFrom"] as const;

const endsOf = (record: CompactionRecord & { drawnFrom?: string | number }): [(typeof ENDS)[number], string | number][] =>
  ENDS.flatMap((key) => (record[key] === undefined ? [] : [[key, record[key]]]));

/** A record whose ends go by what `name` says; by what they did where it says nothing. */
export function renamed(record: CompactionRecord, name: (end: string | number) => string | undefined): CompactionRecord {
  return { ...record, ...Object.fromEntries(endsOf(record).map(([key, end]) => [key, name(end) ?? end])) };
}

/** Records without those that were taken off, and without what those gave up one by one: a walk that held them tells what is left of them anew. */
export function without(records: readonly CompactionRecord[], off: readonly CompactionRecord[]): CompactionRecord[] {
  return records.flatMap((record) => {
    const { id, rung, items = [] } = record;
    const isOff = (item: string): boolean => off.some((other) => other.rung === rung && other.items?.includes(item));
    const left = items.filter((item) => !isOff(item));
    if (off.some((other) => other.id === id) || (items.length > 0 && left.length === 0)) return [];
    return [left.length < items.length ? { ...record, items: left } : record];
  });
}

/** Records as they stood at one time, by what they did and where. */
export type Standing = ReadonlyMap<string, CompactionRecord>;

export class Records {
  readonly #all = new Map<string, CompactionRecord>();
  readonly #named = new Map<string, CompactionRecord>();

  get(id: string): CompactionRecord | undefined {
    return this.#all.get(id);
  }

  set(record: CompactionRecord): void {
    this.#all.set(record.id, record);
    this.#named.set(keyOf(record), record);
  }

  delete(id: string): void {
    const record = this.#all.get(id);
    if (!record) return;
    this.#all.delete(id);
    if (this.#named.get(keyOf(record))?.id === id) this.#named.delete(keyOf(record));
  }

  ids(): string[] {
    return [...this.#all.keys()];
  }

  /** One of them ends at this node: it holds once the path goes on beyond. */
  endsAt(node: string): boolean {
    for (const { from, to } of this.#all.values()) if (to === node || from === node) return true;
    return false;
  }

  /** A message of ours goes by another id now; what we laid over it, and is not among `theirs`, follows it. */
  follow(former: string, id: string, theirs: readonly CompactionRecord[]): void {
    const stored = new Set(theirs.map((record) => record.id));
    for (const record of [...this.#all.values()]) {
      if (stored.has(record.id) || !endsOf(record).some(([, end]) => end === former)) continue;
      this.delete(record.id);
      this.set(renamed(record, (end) => (end === former ? id : undefined)));
    }
  }

  /** Those of these ids, in this order. */
  of(ids: readonly string[]): CompactionRecord[] {
    return ids.flatMap((id) => this.#all.get(id) ?? []);
  }

  /** Keeps these and no other. */
  replace(records: readonly CompactionRecord[]): void {
    this.#all.clear();
    this.#named.clear();
    for (const record of records) this.set(record);
  }

  /** For `named` later, when others may stand. */
  standing(): Standing {
    return new Map(this.#named);
  }

  /** A record of a report, whose ends are ids already: under the id of the same one that is known, or was when the walk began, else under a new one.
   *  The core's own ids count messages in the order they were read, and say nothing to another reader. */
  named(record: CompactionRecord, stood: Standing): CompactionRecord {
    const key = keyOf(record);
    return this.#named.get(key) ?? stood.get(key) ?? { ...record, id: newId(), at: Date.now() };
  }
}

function keyOf({ rung, from, to, items = [] }: CompactionRecord): string {
  return JSON.stringify([rung, from, to, items]);
}
