/** Two writers of one conversation: nobody's words are lost, and both hear of the other's. */
import { describe, expect, test, vi } from "vitest";
import { Conversation, ConflictError } from "../../../pkg/entry/node.js";
import { fileStore } from "../../../pkg/stores/files.js";
import { memoryStore } from "../../../pkg/stores/memory.js";
import type { Store } from "../../../pkg/stores/store.js";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assistant, chat, texts, until, user } from "./talk.js";

/** A store that tells nobody. */
const silent = ({ subscribe: _, ...store }: Store): Store => store;

test("both answers live on as siblings, each keeps its own tip", async () => {
  const store = silent(memoryStore());
  const one = await chat({ store });
  const asked = one.append(user("question"));
  await one.commit();
  const two = await chat({ store });
  const heard = vi.fn();
  const a = one.append(assistant("from one"));
  const b = two.append(assistant("from two"));
  one.checkpoint("one's");
  two.checkpoint("two's");
  two.meta.title = "two's";
  two.subscribe(heard);
  await one.commit();
  await two.commit();
  expect(heard).toHaveBeenCalled();
  expect(two.tip).toBe(b);
  expect(two.siblings(b)).toEqual({ ids: expect.arrayContaining([a, b]), index: expect.any(Number) });
  one.append(user("more"));
  await one.commit();
  expect(texts(one)).toEqual(["question", "from one", "more"]);
  expect(one.children(asked).sort()).toEqual([a, b].sort());
  expect(one.meta.title).toBe("two's");
  expect(one.checkpoints().map(({ label }) => label).sort()).toEqual(["one's", "two's"]);
  const stored = (await store.load("talk", "main"))!;
  expect(stored.nodes).toHaveLength(4);
  expect(stored.tip).toBe(one.tip);
});

test("who listens hears of the other's commit without asking", async () => {
  const store = memoryStore();
  const [one, two] = [await chat({ store }), await chat({ store })];
  const heard = vi.fn();
  two.subscribe(heard);
  const id = one.append(user("a"));
  await one.commit();
  await until(() => two.get(id) !== undefined);
  expect(heard).toHaveBeenCalled();
  expect(two.tip).toBeNull();
  two.select(id);
  two.append(assistant("b"));
  await two.commit();
  await until(() => one.children(id).length === 1);
  expect(texts(one)).toEqual(["a"]);
  await one.close();
  two.append(user("c"));
  await two.commit();
});

test("ids of the caller's own that clash: ours becomes another, with all that follows it", async () => {
  const store = silent(memoryStore());
  const [one, two] = [await chat({ store }), await chat({ store })];
  one.append(user("one"), { id: "same" });
  await one.commit();
  two.append(user("two"), { id: "same" });
  const last = two.append(assistant("three"));
  two.checkpoint("mine");
  await two.commit();
  expect(texts(two)).toEqual(["two", "three"]);
  expect(two.get(last)!.parent).toBe(two.messages()[0]!.id);
  expect(two.messages()[0]!.id).not.toBe("same");
  const again = await chat({ store });
  expect(again.messages()).toEqual(two.messages());
  expect(again.get("same")!.message).toEqual(user("one"));
  expect(again.checkpoints()).toEqual([{ label: "mine", at: last }]);
});

test("the same message under the same id arrived, whoever brought it", async () => {
  const store = silent(memoryStore());
  const [one, two] = [await chat({ store }), await chat({ store })];
  for (const talk of [one, two]) talk.append(user("a"), { id: "a" });
  await one.commit();
  two.append(assistant("b"), { id: "b" });
  await two.commit();
  expect((await store.load("talk", "main"))!.nodes.map(({ id }) => id)).toEqual(["a", "b"]);
});

test("others who always come first: the commit gives up, and all waits", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  const inner = silent(memoryStore());
  const other = await chat({ store: inner });
  let rude = true;
  const store: Store = {
    ...inner,
    async commit(...args) {
      if (rude) {
        other.append(user("first"));
        await other.commit();
      }
      return inner.commit(...args);
    },
  };
  const talk = await chat({ store });
  talk.append(user("a"));
  await expect(talk.commit()).rejects.toThrow(ConflictError);
  rude = false;
  await talk.commit();
  expect(texts(await chat({ store: inner }))).toEqual(["a"]);
  vi.restoreAllMocks();
});

describe.each([
  ["memory", () => memoryStore()],
  ["memory that tells nobody", () => silent(memoryStore())],
  ["files", (folder: string) => fileStore(folder)],
] as [string, (folder: string) => Store][])("%s", (_, make) => {
  test("200 turns each at once", async () => {
    const folder = mkdtempSync(join(tmpdir(), "palimpsest-writers-"));
    try {
      const store = make(folder);
      const talks = await Promise.all([0, 1].map(() => Conversation.open({ store, id: "both", format: "openai-chat", model: "gpt-4o" })));
      await Promise.all(
        talks.map(async (talk, who) => {
          for (let turn = 0; turn < 200; turn++) {
            talk.append([user(`question ${turn} of ${who}`), assistant(`answer ${turn} to ${who}`)]);
            await talk.commit();
          }
        }),
      );
      const again = await Conversation.open({ store, id: "both" });
      const said = JSON.parse(again.export("json")).nodes.map(({ message }: any) => message.content);
      const wanted = [0, 1].flatMap((who) => Array.from({ length: 200 }, (_, turn) => [`question ${turn} of ${who}`, `answer ${turn} to ${who}`]).flat());
      expect(said.sort()).toEqual(wanted.sort());
      talks.forEach((talk, who) => {
        expect(texts(talk)).toHaveLength(400);
        expect(texts(talk).every((text) => String(text).endsWith(` ${who}`))).toBe(true);
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }, 120_000);
});
