// Must compile. What must not is marked, and the compiler says so when it does.
import { CannotFitError, check, compact, init, measure, type Compacted, type CompactOptions, type Report } from "palimpsest";
import { ConflictError, CorruptStoreError, type Change, type Store, type Stored } from "palimpsest";
import { durableObjectStore } from "palimpsest/durable-object";
import { withCompaction } from "palimpsest/fetch";
import { fileStore } from "palimpsest/files";
import { indexedDBStore } from "palimpsest/indexeddb";
import { repair } from "palimpsest/inline";
import { memoryStore } from "palimpsest/memory";
import { probeReader, type ReaderProfile } from "palimpsest/probe";

const request = { model: "gpt-4o", messages: [{ role: "user", content: "hello" }] };
const options: CompactOptions = { model: { id: "mine", window: 16_000 }, threshold: 0.9, countTokens: (text) => text.length };

const compacted: Compacted<typeof request> = await compact(request, options);
const role: string | undefined = compacted.body.messages[0]?.role;
const list: typeof request.messages = (await compact(request.messages)).body;
const gauge: number = (await measure(request)).fill;
const rules: string[] = (await check(request)).map((violation) => violation.rule);
const mended: typeof request = (await repair(request)).body;
const profile: ReaderProfile = await probeReader(async (images, prompt) => `${images.length} ${prompt}`, { model: "mine" });
await compact(request, { pages: { profile } });
const wrapped: typeof fetch = withCompaction(fetch, { ...options, onAnswer: ({ usage }) => void usage });
await init(new URL("https://example.org/core_bg.wasm"));

export function reportOf(error: unknown): Report | undefined {
  return error instanceof CannotFitError ? error.report : undefined;
}

// A store of one's own needs no more than this.
const kept = new Map<string, Stored>();
const own: Store = {
  load: async (id, agent) => kept.get(id + agent),
  async commit(id, agent, base, { nodes, blobs, ...head }: Change) {
    const before = kept.get(id + agent);
    if ((before?.revision ?? 0) !== base) throw new ConflictError(id);
    kept.set(id + agent, { ...head, nodes: [...(before?.nodes ?? []), ...nodes], revision: base + 1, version: 1 });
    return base + 1;
  },
  list: async () => [],
  remove: async (id: string, agent?: string) => void kept.delete(id + (agent ?? "")),
  subscribe: (listener: (id: string, agent: string) => void) => () => listener("id", "agent"),
};
const object = durableObjectStore({ sql: { exec: () => [] }, transactionSync: (run) => run() });
const stores: Store[] = [own, memoryStore(), fileStore("talks"), indexedDBStore(), indexedDBStore("mine"), object];

export function savedOf(error: unknown): Stored | undefined {
  return error instanceof CorruptStoreError ? error.saved : undefined;
}

// @ts-expect-error a store can load
const unready: Store = { commit: own.commit, list: own.list, remove: own.remove };
// @ts-expect-error a directory is named
fileStore();

// @ts-expect-error a threshold is a number
await compact(request, { threshold: "0.9" });
// @ts-expect-error there is no such rung
await compact(request, { rungs: ["forget"] });

export { gauge, list, mended, role, rules, stores, unready, wrapped };
