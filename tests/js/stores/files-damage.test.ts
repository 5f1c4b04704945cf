/** Files that are torn, garbled, moved or edited: told, with what could be saved, and never written over. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { CorruptStoreError } from "../../../pkg/errors.js";
import { fileStore } from "../../../pkg/stores/files.js";
import type { Node, Stored } from "../../../pkg/stores/store.js";
import { workshop } from "../support/consumer.js";
import { generator } from "../support/random.js";
import { chain, change, faultsOf } from "./support/talk.js";

const shop = workshop();
let directory: string;
let file: string;
let whole: Buffer;
let nodes: Node[];
let count = 0;

beforeEach(async () => {
  directory = join(shop, `damage ${count++}`);
  nodes = chain(null, "first 字", "second", "third \u{1f600}", "fourth");
  const store = fileStore(directory);
  await store.commit("talk", "main", 0, change(nodes.slice(0, 2), { meta: { title: "kept" } }));
  await store.commit("talk", "main", 1, change(nodes.slice(2), { meta: { title: "kept" } }));
  file = join(directory, readdirSync(directory).find((name) => name.endsWith(".json"))!);
  whole = readFileSync(file);
});

const load = (): Promise<Stored | undefined> => fileStore(directory).load("talk", "main");

/** The error of loading what is there now; `undefined` when it loads. */
async function told(): Promise<CorruptStoreError | undefined> {
  try {
    await load();
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(CorruptStoreError);
    return error as CorruptStoreError;
  }
}

/** Whatever is saved can be committed as it is. */
function expectUsable(saved: Stored | undefined): void {
  if (!saved) return;
  expect(faultsOf(saved.nodes)).toEqual([]);
  expect(saved.tip === null || saved.nodes.some(({ id }) => id === saved.tip)).toBe(true);
}

test("a file cut off anywhere is told, and every whole line of it is saved", async () => {
  const ends = [...whole.keys()].filter((at) => whole[at] === 10);
  for (let length = 0; length < whole.length - 1; length++) {
    writeFileSync(file, whole.subarray(0, length));
    const error = await told();
    expect(error, `cut at ${length}`).toBeDefined();
    expectUsable(error!.saved);
    const lines = Math.max(0, ends.filter((end) => end <= length).length - 1);
    const least = Math.min(lines, nodes.length);
    expect(error!.saved?.nodes.length ?? 0, `cut at ${length}`).toBeGreaterThanOrEqual(least);
    if (error!.saved) expect(error!.saved).toMatchObject({ revision: 2, meta: { title: "kept" }, nodes: nodes.slice(0, error!.saved.nodes.length) });
    // Nor is it written over.
    if (length % 100 === 0) {
      await expect(fileStore(directory).commit("talk", "main", 2, change([]))).rejects.toMatchObject({ code: "corrupt-store" });
      await expect(fileStore(directory).commit("talk", "main", 0, change([]))).rejects.toMatchObject({ code: "corrupt-store" });
      expect(readFileSync(file).length).toBe(length);
    }
  }
  // Without the last line break nothing is lost.
  truncateSync(file, 0);
  writeFileSync(file, whole.subarray(0, whole.length - 1));
  expect((await load())?.nodes).toEqual(nodes);
}, 60_000);

test("any byte that changed is told", async () => {
  const random = generator(5);
  for (let at = 0; at < whole.length - 1; at++) {
    const garbled = Buffer.from(whole);
    garbled[at] = (garbled[at]! + 1 + Math.floor(random() * 255)) % 256;
    writeFileSync(file, garbled);
    const error = await told();
    expect(error, `byte ${at}: ${JSON.stringify(garbled.subarray(at - 10, at + 10).toString("latin1"))}`).toBeDefined();
    expectUsable(error!.saved);
  }
}, 60_000);

describe("what is told and saved", () => {
  const lines = (): string[] => whole.toString("utf8").split("\n");
  const write = (text: string[]): void => writeFileSync(file, text.join("\n"));

  test("of a line in the middle", async () => {
    const text = lines();
    text[2] = text[2]!.slice(0, 30);
    write(text);
    const error = await told();
    expect(error!.message).toMatch(/^Conversation "talk" is not stored as it was written: 1 of its lines cannot be read; .*3 messages could be saved/);
    // The third begins a tree of its own.
    expect(error!.saved!.nodes.map(({ id, parent }) => [id, parent])).toEqual([[nodes[0]!.id, null], [nodes[2]!.id, null], [nodes[3]!.id, nodes[2]!.id]]);
  });

  test("of the first line", async () => {
    const text = lines();
    text[0] = "{";
    write(text);
    const { saved } = (await told())!;
    expect(saved!.nodes).toEqual(nodes);
    expect(saved).toMatchObject({ tip: nodes[3]!.id, revision: 0, format: "openai-chat", records: [] });
    expect(await fileStore(directory).list()).toEqual([]);
  });

  test("of a later layout", async () => {
    write([lines()[0]!.replace('"palimpsest":1', '"palimpsest":2'), ...lines().slice(1)]);
    const error = await told();
    expect([error!.message, error!.saved]).toEqual([expect.stringMatching(/later version/), undefined]);
  });

  test("of another conversation's file", async () => {
    const store = fileStore(directory);
    await store.commit("other", "main", 0, change(chain(null, "other")));
    const other = readdirSync(directory).find((name) => name.startsWith("other_"))!;
    copyFileSync(join(directory, other), file);
    expect((await told())!.message).toMatch(/belongs to another conversation/);
  });

  test("of nothing at all, and of no JSON of ours", async () => {
    for (const text of ["", "\n\n\n", "null", "[]", "{}", "\u0000".repeat(500), '"nodes"', '{"nodes":[]}', "PK\u0003\u0004"]) {
      writeFileSync(file, text);
      const error = await told();
      expect(error, text).toBeDefined();
      expect(error!.saved).toBeUndefined();
    }
  });

  test("of nodes that make no tree: ids twice, circles, deep nesting", async () => {
    const { check: _, ...value } = JSON.parse(whole.toString("utf8"));
    const [a, b, c, d] = value.nodes;
    const circle = [{ ...a, parent: d.id }, b, c, d, a];
    writeFileSync(file, JSON.stringify({ ...value, nodes: circle }));
    const { saved } = (await told())!;
    expectUsable(saved);
    expect(saved!.nodes.length).toBe(4);
    writeFileSync(file, `${JSON.stringify(value).slice(0, -2)},${"[".repeat(100_000)}${"]".repeat(100_000)}]}`);
    expectUsable((await told())?.saved);
  });
});

test("a file edited by hand is read and goes on, when its sum was taken out", async () => {
  const { check: _, ...value } = JSON.parse(whole.toString("utf8"));
  value.nodes[1].message.content = "edited";
  writeFileSync(file, JSON.stringify(value, null, 2));
  const store = fileStore(directory);
  expect((await load())!.nodes[1]!.message.content).toBe("edited");
  expect((await store.list()).map(({ id, messages }) => [id, messages])).toEqual([["talk", 4]]);
  await store.commit("talk", "main", 2, change(chain(nodes[3]!.id, "fifth")));
  expect((await load())!.nodes.map(({ message }) => message.content)).toEqual(["first 字", "edited", "third \u{1f600}", "fourth", "fifth"]);
  expect(JSON.parse(readFileSync(file, "utf8")).check).toMatch(/^[0-9a-f]{64}$/);
});

test("a file that cannot be read keeps the bytes of others from being taken away", async () => {
  const store = fileStore(directory);
  const hash = "a".repeat(64);
  await store.commit("other", "main", 0, change(chain(null, "x"), { blobs: [{ hash, bytes: new Uint8Array(3) }] }));
  writeFileSync(file, "{");
  await store.remove("other");
  expect(readdirSync(join(directory, "blobs"))).toEqual([hash]);
  // It can be removed, and then nothing is in the way.
  await store.remove("talk");
  expect(readdirSync(join(directory, "blobs"))).toEqual([]);
  expect(await load()).toBeUndefined();
});

test("bytes that are not those of their hash are as good as gone", async () => {
  const store = fileStore(directory);
  mkdirSync(join(directory, "blobs"));
  writeFileSync(join(directory, "blobs", "b".repeat(64)), "other bytes");
  expect(await store.blob!("b".repeat(64))).toBeUndefined();
});
