/** The shared suite inside a Durable Object of real workerd, and what only that store has to answer for. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { workshop } from "../support/consumer.js";
import { storeSuite } from "./suite.js";

const shop = workshop();
let worker: Miniflare;

beforeAll(async () => {
  const script = fileURLToPath(new URL("workers/object.ts", import.meta.url));
  const outfile = join(shop, "worker.js");
  await build({ entryPoints: [script], outfile, bundle: true, format: "esm", target: "es2022", conditions: ["workerd"], logLevel: "error" });
  worker = new Miniflare({
    modules: true,
    modulesRoot: shop,
    scriptPath: outfile,
    compatibilityDate: "2025-01-01",
    durableObjects: { OBJECTS: { className: "Conversations", useSQLite: true } },
  });
});
afterAll(() => worker?.dispose());

/** Each in an object of its own. */
async function ask(name: string, asked: object): Promise<any> {
  const response = await worker.dispatchFetch(`https://worker.example/${encodeURIComponent(name)}`, { method: "POST", body: JSON.stringify(asked) });
  return response.json();
}

describe("durableObjectStore in workerd", () => {
  const names = storeSuite(() => ({ open: () => Promise.reject(new Error("runs in the object")) })).map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    test(name, async () => expect(await ask(name, { suite: index })).toBe(""));
  }
});

describe("its rows", () => {
  test("are a megabyte at most, of messages, heads and bytes", async () => {
    const sizes = (await ask("rows", { work: "rows" })) as number[];
    for (const size of sizes) {
      expect(size).toBeLessThanOrEqual(1_000_000);
      expect(size).toBeGreaterThan(600_000);
    }
    expect(sizes.length).toBe(3);
  });

  test("take 100 parameters at most", async () => {
    const most = await ask("parameters", { work: "parameters" });
    expect(most).toBeLessThanOrEqual(100);
    expect(most).toBeGreaterThan(90);
  });

  test("stand beside tables of others; tables of a later version are left alone", async () => {
    expect(await ask("tables", { work: "tables" })).toEqual({ mine: 1, open: 1, anew: expect.stringMatching(/^corrupt-store: .*later version/) });
  });
});

test("an object that is full is a QuotaError, with nothing half-written", async () => {
  expect(await ask("full", { work: "full" })).toMatchObject({ code: "quota", name: "QuotaError", same: true, revision: 2 });
});

test("a name that is longer than a row may be is a QuotaError", async () => {
  expect(await ask("name", { work: "name" })).toMatch(/^quota: A name is too long/);
});

describe("damage is told, with what could be saved", () => {
  test.each([
    ["a message that is no JSON", "UPDATE palimpsest_nodes SET text = '{\"id\":' WHERE seq = 4", 9, /no JSON/],
    ["a message of another shape", "UPDATE palimpsest_nodes SET text = '{\"id\":\"x\",\"parent\":null,\"at\":1,\"message\":\"words\"}' WHERE seq = 9", 9, /no object/],
    ["a message that is gone", "DELETE FROM palimpsest_nodes WHERE seq = 0", 9, /is gone/],
    ["a head that is gone", "DELETE FROM palimpsest_head_parts", 10, /head is no JSON/],
    ["a head of another shape", "UPDATE palimpsest_head_parts SET text = '{\"tip\":5,\"meta\":{\"title\":\"kept\"}}'", 10, /the tip is no id/],
    ["the tip is gone", "DELETE FROM palimpsest_nodes WHERE seq = 9", 9, /tip/],
  ])("%s", async (name, sql, saved, words) => {
    const told = await ask(name, { damage: { sql } });
    expect(told).toMatchObject({ code: "corrupt-store", message: expect.stringMatching(words) });
    expect(told.saved.nodes.length).toBe(saved);
    expect(told.saved.nodes.at(-1).id).toBe(told.saved.tip);
    // What is saved can be committed anew: whole, in order.
    const ids = told.saved.nodes.map((node: any) => node.id);
    expect(told.saved.nodes.every(({ parent }: any, index: number) => parent === null || ids.indexOf(parent) < index)).toBe(true);
    if (sql.includes("kept")) expect(told.saved.meta).toEqual({ title: "kept" });
  });

  test("nothing is left", async () => {
    const told = await ask("nothing", { damage: { sql: "DELETE FROM palimpsest_nodes" } });
    expect(told).toMatchObject({ code: "corrupt-store", message: expect.stringMatching(/Nothing could be saved/) });
    expect(told.saved).toBeUndefined();
  });

  test("a later layout", async () => {
    const told = await ask("later", { damage: { sql: "UPDATE palimpsest_heads SET version = 2" } });
    expect(told).toMatchObject({ code: "corrupt-store", message: expect.stringMatching(/later version/) });
  });
});
