/** What makes no sense is refused in the package's own words, and changes nothing: what comes after goes on as if it had not been tried. */
import { describe, expect, test } from "vitest";
import { Conversation, OptionError, PalimpsestError } from "../../../pkg/entry/node.js";
import { importSession } from "../../../pkg/sessions.js";
import { memoryStore } from "../../../pkg/stores/memory.js";
import { assistant, chat, user } from "./talk.js";

const deep = (levels: number): unknown => (levels === 0 ? "x" : [deep(levels - 1)]);
const circle: { self?: unknown } = {};
circle.self = circle;

async function thrown(call: () => unknown): Promise<unknown> {
  try {
    return await call();
  } catch (error) {
    return error;
  }
}

test("options that are none", async () => {
  const talk = await chat();
  const at = talk.append([user("a"), assistant("b")]);
  talk.checkpoint("here");
  talk.append(user("c"));
  const before = talk.messages();
  const file = talk.export("json");
  const any = talk as any;
  const calls: ((given: any) => unknown)[] = [
    (given) => any.append(user("x"), given),
    (given) => any.rewind("here", given),
    (given) => any.duplicate(given),
    (given) => Conversation.from({ id: "x", agent: "main", nodes: [], tip: null, records: [], checkpoints: [], format: "openai-chat", meta: {}, notes: {} }, given),
    (given) => importSession(file, given),
  ];
  for (const call of calls) for (const given of [null, "what was learnt", 5, []]) expect(await thrown(() => call(given)), `${call} ${given}`).toBeInstanceOf(OptionError);
  expect(await thrown(() => any.duplicate())).toBeInstanceOf(OptionError);
  expect(await thrown(() => importSession(file, { kind: 5n as any }))).toMatchObject({ code: "import-failed" });
  expect(await thrown(() => talk.export(5n as any))).toBeInstanceOf(OptionError);
  for (const listener of [undefined, null, "x", {}]) expect(() => talk.subscribe(listener as any)).toThrow(OptionError);
  // An id that is missing is no wish to begin anew.
  for (const nowhere of [undefined, Symbol("x"), () => at]) {
    expect(() => talk.branch(nowhere as any)).toThrow(PalimpsestError);
    if (nowhere !== undefined) expect(() => talk.append(user("x"), { parent: nowhere as any })).toThrow(PalimpsestError);
  }
  expect(talk.messages()).toBe(before);
});

test("an id that cannot be written", async () => {
  const store = memoryStore();
  const talk = await chat({ store });
  for (const id of ["\ud800", "a\udc00b"]) expect(() => talk.append(user("x"), { id })).toThrow(OptionError);
  expect(talk.append(user("x"), { id: "字😀" })).toBe("字😀");
  await talk.commit();
  expect((await chat({ store })).tip).toBe("字😀");
});

test("a file with ids that cannot be written keeps every word, under ids that can", async () => {
  const nodes = [
    { id: "\ud800", parent: null, at: 1, message: user("one") },
    { id: "b", parent: "\ud800", at: 2, message: assistant("two") },
    { id: "c", parent: "b", at: 3, message: user("three") },
  ];
  const file = JSON.stringify({ palimpsest: 1, id: "x", tip: "b", records: [], checkpoints: [{ label: "first", at: "\ud800" }], format: "openai-chat", meta: {}, notes: {}, nodes });
  const { conversations } = await importSession(file);
  const store = memoryStore();
  const talk = await Conversation.from(conversations[0]!, { store });
  await talk.commit();
  const again = await Conversation.open({ store, id: "x" });
  expect(again.messages().map(({ message }) => message.content)).toEqual(["one", "two"]);
  expect(again.checkpoints().map(({ at }) => again.get(at)?.message.content)).toEqual(["one"]);
  expect(again.tree()).toHaveLength(3);
});

describe("what no store could keep", () => {
  const unkeepable: [string, unknown][] = [["a bigint", { n: 5n }], ["a circle", circle], ["depth", deep(600)], ["one that will not be read", { toJSON: () => { throw new TypeError("mine"); } }]];

  test.each(unkeepable)("beside a message: %s", async (_, meta) => {
    const talk = await chat();
    expect(() => talk.append(user("a"), { meta })).toThrow(OptionError);
    expect(talk.messages()).toEqual([]);
    talk.append(user("a"), { meta: { bytes: Uint8Array.of(1), at: new Date(0), not: undefined } });
    await talk.commit();
  });

  test.each(unkeepable.filter(([what]) => what !== "depth"))("beside the conversation: %s; taken away, it goes on", async (_, bad) => {
    const store = memoryStore();
    const talk = await chat({ store });
    talk.append(user("a"));
    talk.meta = { bad };
    await expect(talk.commit()).rejects.toThrow(OptionError);
    await expect(talk.duplicate({ id: "copy" })).rejects.toThrow(PalimpsestError);
    await expect(talk.close()).rejects.toThrow(OptionError);
    talk.meta = { title: "good", shown: () => "never kept" };
    await talk.duplicate({ id: "copy" });
    await talk.close();
    for (const id of ["talk", "copy"]) expect(await store.load(id, "main"), id).toMatchObject({ meta: { title: "good" }, nodes: [{ message: user("a") }] });
  });

  test.each(unkeepable)("in a draft that streams: %s; the next one takes its place", async (_, bad) => {
    const store = memoryStore();
    const talk = await chat({ store });
    talk.append(user("a"));
    const draft = talk.append(assistant(""));
    expect(() => talk.update(draft, { ...assistant("no"), bad })).toThrow(OptionError);
    talk.update(draft, assistant("He"));
    talk.update(draft, { ...assistant("Hel"), bad });
    for (const call of [() => talk.append(user("b")), () => talk.commit(), () => talk.request()]) {
      const error = await thrown(call);
      expect(error).toBeInstanceOf(OptionError);
      expect((error as Error).message).toContain(draft);
    }
    talk.update(draft, assistant("Hello"));
    talk.append(user("b"));
    await talk.commit();
    expect((await store.load("talk", "main"))!.nodes.map(({ message }) => message.content)).toEqual(["a", "Hello", "b"]);
  });
});
