/** The store of one's own in `docs/stores.md`, put to the shared suite; and the four as a stranger imports them. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Store } from "../../../pkg/stores/store.js";
import { install, load, workshop } from "../support/consumer.js";
import { examplesIn } from "../support/examples.js";
import { storeSuite } from "./suite.js";

const shop = workshop();
const [example] = examplesIn(readFileSync(fileURLToPath(new URL("../../../docs/stores.md", import.meta.url)), "utf8"));

/** What `localStorage` is, as far as the example goes. */
class Texts {
  readonly #all = new Map<string, string>();
  get length(): number {
    return this.#all.size;
  }
  key(index: number): string | null {
    return [...this.#all.keys()][index] ?? null;
  }
  getItem(key: string): string | null {
    return this.#all.get(key) ?? null;
  }
  setItem(key: string, text: string): void {
    this.#all.set(key, text);
  }
  removeItem(key: string): void {
    this.#all.delete(key);
  }
}

describe("the example of docs/stores.md", () => {
  install(shop);
  writeFileSync(join(shop, "example.mjs"), example!.code);
  const suite = storeSuite(async () => {
    const { textStore } = (await load(shop, "example.mjs")) as { textStore(storage: Texts): Store };
    const storage = new Texts();
    return { open: () => textStore(storage) };
  }, []);
  expect(suite.length).toBeGreaterThan(12);
  for (const { name, run } of suite) test(name, run);
});

test("the four are entries of the package; those that need no Node name none of its modules", async () => {
  writeFileSync(
    join(shop, "entries.mjs"),
    `import { memoryStore } from "palimpsest/memory";
     import { fileStore } from "palimpsest/files";
     import { indexedDBStore } from "palimpsest/indexeddb";
     import { durableObjectStore } from "palimpsest/durable-object";
     import { ConflictError } from "palimpsest";
     const store = memoryStore();
     const change = { tip: null, records: [], checkpoints: [], format: "openai-chat", meta: {}, notes: {}, nodes: [] };
     export const conflict = await store.commit("a", "main", 5, change).catch((error) => error instanceof ConflictError);
     export const names = [memoryStore, fileStore, indexedDBStore, durableObjectStore].map(({ name }) => name);
     // Nothing is opened before the first call, so Node may make one.
     export const unopened = await indexedDBStore().load("a", "main").catch(({ code }) => code);`,
  );
  const { names, conflict, unopened } = await load(shop, "entries.mjs");
  expect([names, conflict, unopened]).toEqual([["memoryStore", "fileStore", "indexedDBStore", "durableObjectStore"], true, "load-failed"]);
  const { build } = await import("esbuild");
  for (const [entry, node] of [["memory", false], ["indexeddb", false], ["durable-object", false], ["files", true]] as const) {
    const built = await build({ stdin: { contents: `export * from "palimpsest/${entry}";`, resolveDir: shop }, bundle: true, format: "esm", minify: true, write: false, external: ["node:*"], logLevel: "error" });
    expect(built.outputFiles[0]!.text.includes('"node:'), entry).toBe(node);
    // None brings the core along.
    expect(built.outputFiles[0]!.text.length, entry).toBeLessThan(40_000);
    console.log(`${entry}: ${built.outputFiles[0]!.text.length} bytes minified`);
  }
});
