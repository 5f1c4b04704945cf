/** Stores of the caller's own, which may give and answer anything: an error says what, and nothing that can be read is lost. */
import { describe, expect, test } from "vitest";
import { CorruptStoreError, OptionError } from "../../../pkg/entry/node.js";
import { memoryStore } from "../../../pkg/stores/memory.js";
import type { Store } from "../../../pkg/stores/store.js";
import { assistant, chat, texts, until, user } from "./talk.js";

const whole = { tip: "a", records: [], checkpoints: [], format: "openai-chat", meta: {}, notes: {}, revision: 1, version: 1, nodes: [{ id: "a", parent: null, at: 1, message: user("kept") }] };

/** What can be saved of each: messages. */
const shapes: [string, unknown, number][] = [
  ["a text", "text", 0],
  ["an empty object", {}, 0],
  ["no nodes", { ...whole, nodes: undefined }, 0],
  ["no records", { ...whole, records: undefined }, 1],
  ["records that are none", { ...whole, records: [null, {}] }, 1],
  ["no checkpoints", { ...whole, checkpoints: undefined }, 1],
  ["no meta", { ...whole, meta: null }, 1],
  ["no notes", { ...whole, notes: undefined }, 1],
  ["no format", { ...whole, format: undefined }, 1],
  ["no tip", { ...whole, tip: undefined }, 1],
  ["no revision", { ...whole, revision: undefined }, 1],
  ["a revision as text", { ...whole, revision: "1" }, 1],
  ["a node that is none", { ...whole, nodes: [...whole.nodes, null] }, 1],
  ["a message that is none", { ...whole, nodes: [...whole.nodes, { id: "b", parent: "a", at: 1, message: "text" }] }, 1],
  ["a node without a time", { ...whole, nodes: [...whole.nodes, { id: "b", parent: "a", message: user("b") }] }, 1],
  ["a later version", { ...whole, version: 2 }, 0],
];

describe.each([undefined, { messages: 5 }])("opened with load %o", (load) => {
  test.each(shapes)("%s", async (_, stored, saved) => {
    const store: Store = { ...memoryStore(), load: async () => stored as any };
    const error = await chat({ store, load }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(CorruptStoreError);
    expect((error as CorruptStoreError).saved?.nodes.length ?? 0).toBe(saved);
  });

  test("a message that the format does not read", async () => {
    const store: Store = { ...memoryStore(), load: async () => ({ ...whole, nodes: [{ ...whole.nodes[0]!, message: { words: "none" } }] }) as any };
    await expect(chat({ store, load })).rejects.toThrow(CorruptStoreError);
  });

  test("nothing, as `null`", async () => {
    expect((await chat({ store: { ...memoryStore(), load: async () => null as any }, load })).messages()).toEqual([]);
  });
});

test("what others stored is of no shape: a commit says so, and all waits", async () => {
  const inner = memoryStore();
  let broken = false;
  const store: Store = { ...inner, load: async (...asked) => (broken ? ({ revision: 7, version: 1 } as any) : inner.load(...asked)) };
  const talk = await chat({ store });
  const other = await chat({ store: inner });
  other.append(user("theirs"));
  await other.commit();
  broken = true;
  talk.append(user("mine"));
  await expect(talk.commit()).rejects.toThrow(CorruptStoreError);
  broken = false;
  await talk.commit();
  expect((await inner.load("talk", "main"))!.nodes).toHaveLength(2);
});

test.each([undefined, null, "2", Number.NaN, 0, -1, {}])("a commit that answers %o and no revision", async (answer) => {
  const inner = memoryStore();
  const store: Store = { ...inner, commit: async (...asked) => (await inner.commit(...asked), answer as any) };
  const talk = await chat({ store });
  talk.append(user("a"));
  await expect(talk.commit()).rejects.toThrow(OptionError);
  talk.append(assistant("b"));
  await expect(talk.commit()).rejects.toThrow(/must return the new revision/);
  expect((await inner.load("talk", "main"))!.nodes).toHaveLength(2);
  expect(texts(talk)).toEqual(["a", "b"]);
});

test("a `subscribe` that gives no function to end it", async () => {
  const store = { ...memoryStore(), subscribe: async () => {} } as unknown as Store;
  const talk = await chat({ store });
  talk.append(user("a"));
  await talk.close();
  expect((await chat({ store })).messages()).toHaveLength(1);
});

test("a store that tells of every commit and not of which revision: one's own draws nothing", async () => {
  const inner = memoryStore();
  let heard: ((id: string, agent: string) => void) | undefined;
  let loads = 0;
  const store: Store = {
    ...inner,
    load: (...asked) => (loads++, inner.load(...asked)),
    commit: async (...asked) => {
      const revision = await inner.commit(...asked);
      heard?.(asked[0], asked[1]);
      return revision;
    },
    subscribe: (listener) => ((heard = listener), () => (heard = undefined)),
  };
  const talk = await chat({ store });
  talk.append(user("a"));
  const [shown, before] = [talk.messages(), loads];
  await talk.commit();
  await until(() => loads > before);
  await talk.commit();
  expect(talk.messages()).toBe(shown);
  const other = await chat({ store: inner });
  other.append(assistant("b"));
  await other.commit();
  heard!("talk", "main");
  await until(() => talk.tree().length === 2);
  await talk.close();
  expect(heard).toBeUndefined();
});
