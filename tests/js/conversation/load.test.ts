/** `open({ load })`: only the newest part of a long path comes into memory. */
import { expect, test } from "vitest";
import { check, Conversation, OptionError, UnknownCheckpointError } from "../../../pkg/entry/node.js";
import { memoryStore } from "../../../pkg/stores/memory.js";
import type { Part, Store } from "../../../pkg/stores/store.js";
import { assistant, calling, chat, result, texts, user } from "./talk.js";

/** A conversation of `turns` turns with a call each, labelled at the beginning and at the end. */
async function long(turns: number): Promise<{ store: Store; ids: string[]; read: (Part | undefined)[] }> {
  const inner = memoryStore();
  const talk = await chat({ store: inner });
  for (let turn = 0; turn < turns; turn++) {
    talk.append([user(`question ${turn}`), calling(`c${turn}`), result(`c${turn}`, `result ${turn}`), assistant(`answer ${turn}`)]);
    if (turn === 0) talk.checkpoint("early");
  }
  talk.checkpoint("late");
  await talk.commit();
  const read: (Part | undefined)[] = [];
  return { store: { ...inner, load: (id, agent, part) => (read.push(part), inner.load(id, agent, part)) }, ids: talk.messages().map(({ id }) => id), read };
}

test("a part is cut where nothing is orphaned, and goes on as the whole would", async () => {
  const { store, ids, read } = await long(50);
  for (let messages = 1; messages <= 12; messages++) {
    read.length = 0;
    const talk = await chat({ store, load: { messages } });
    const kept = talk.messages().length;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThanOrEqual(Math.max(4, messages));
    expect(talk.messages().map(({ id }) => id)).toEqual(ids.slice(-kept));
    expect(Math.max(...read.map((part) => part!.path))).toBeLessThan(100);
    const { body } = await talk.request();
    expect(await check(body, { format: "openai-chat" })).toEqual([]);
    expect(body.messages).toHaveLength(kept);
  }
  const talk = await chat({ store, load: { messages: 8 } });
  expect(talk.get(ids[0]!)).toBeUndefined();
  expect(talk.checkpoints().map(({ label }) => label)).toEqual(["late"]);
  expect(() => talk.rewind("early")).toThrow(UnknownCheckpointError);
  expect(() => talk.sync([])).toThrow(OptionError);
  talk.append([user("more"), assistant("said")]);
  await talk.commit();
  const whole = await chat({ store });
  expect(whole.messages()).toHaveLength(202);
  expect(texts(whole).slice(-2)).toEqual(["more", "said"]);
  expect(whole.checkpoints().map(({ label }) => label)).toEqual(["early", "late"]);
});

test("by tokens, and all of it", async () => {
  const { store } = await long(50);
  const some = await chat({ store, load: { tokens: 300 } });
  expect(some.messages().length).toBeGreaterThan(4);
  expect(some.messages().length).toBeLessThan(100);
  expect((await some.measure()).tokens).toBeLessThan(400);
  expect((await chat({ store, load: { tokens: 1e9 } })).messages()).toHaveLength(200);
  expect((await chat({ store, load: { messages: 500 } })).messages()).toHaveLength(200);
});

test("nothing", async () => {
  const { store, ids } = await long(5);
  const talk = await chat({ store, load: { messages: 0 } });
  expect(talk.messages()).toEqual([]);
  expect(talk.tip).toBe(ids.at(-1));
  talk.append(user("after"));
  await talk.commit();
  expect(texts(await chat({ store }))).toHaveLength(21);
  const fresh = await Conversation.open({ store, id: "new", format: "openai-chat", load: { messages: 5 } });
  expect(fresh.messages()).toEqual([]);
});

test("a store that gives all of it", async () => {
  const { store, ids } = await long(20);
  const whole: Store = { ...store, load: (id, agent) => store.load(id, agent) };
  const talk = await chat({ store: whole, load: { messages: 4 } });
  expect(talk.messages().map(({ id }) => id)).toEqual(ids.slice(-4));
});

test("two writers, of whom one has only a part", async () => {
  const { store, ids } = await long(20);
  const silent: Store = { ...store };
  delete silent.subscribe;
  for (const messages of [0, 4]) {
    const part = await chat({ store: silent, load: { messages } });
    const whole = await chat({ store: silent });
    const before = whole.messages().length;
    const tip = whole.tip;
    const theirs = whole.append([user("theirs"), assistant("yes")]);
    whole.branch(ids[0]!);
    whole.append(user("early branch"));
    whole.branch(theirs);
    await whole.commit();
    part.append([user("mine"), assistant("no")]);
    await part.commit();
    expect(part.get(theirs)).toBeDefined();
    expect(part.messages().length).toBeLessThanOrEqual(messages + 2);
    const again = await chat({ store: silent });
    expect(texts(again).slice(-2)).toEqual(["mine", "no"]);
    expect(again.messages()).toHaveLength(before + 2);
    expect(again.children(tip)).toHaveLength(2);
    expect(again.checkpoints().map(({ label }) => label)).toEqual(["early", "late"]);
  }
});

test("another format than the stored one is refused, as for the whole", async () => {
  const store = memoryStore();
  const talk = await chat({ store });
  talk.append(user("a"));
  await talk.commit();
  for (const load of [undefined, { messages: 5 }]) await expect(chat({ store, load, format: "anthropic" })).rejects.toThrow(OptionError);
});
