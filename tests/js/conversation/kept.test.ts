/** What is kept beside messages, told exactly: ids of records, what took another's place, places of repairs, what a copy and a file bring. */
import { expect, test } from "vitest";
import { Conversation } from "../../../pkg/entry/node.js";
import { memoryStore } from "../../../pkg/stores/memory.js";
import { assistant, calling, chat, result, texts, user } from "./talk.js";

const long = (): any[] => Array.from({ length: 30 }, (_, n) => (n % 2 ? assistant : user)(`${n} ${"word ".repeat(100)}`));

test("two who lay the same over the same lay two records, each with an id of its own", async () => {
  const ids = new Set<string>();
  for (let times = 0; times < 2; times++) {
    const talk = await chat();
    talk.append(long());
    for (const { id } of (await talk.compact({ force: true, rungs: ["window"] })).records) ids.add(id);
  }
  expect(ids.size).toBe(2);
});

test("a record whose place another took is in no file and no store any more", async () => {
  const store = memoryStore();
  const talk = await chat({ store, rungs: ["elide"], onUnfit: "return", keepExchanges: 1 });
  const gone: string[] = [];
  let last: string[] = [];
  for (let n = 0; n < 40; n++) {
    talk.append([user(`run ${n}`), calling(`c${n}`), result(`c${n}`, `line ${n} `.repeat(150)), assistant("fine")]);
    const { report } = await talk.request();
    const now = report.records.map(({ id }) => id);
    gone.push(...last.filter((id) => !now.includes(id)));
    last = now;
  }
  expect(gone.length).toBeGreaterThan(0);
  await talk.commit();
  const kept = JSON.parse(talk.export("json")).records.map(({ id }: { id: string }) => id);
  expect(kept).toEqual(last);
  expect((await store.load("talk", "main"))!.records.map(({ id }) => id)).toEqual(last);
});

test("a repair says where on the path it was, whatever was added before on other branches", async () => {
  const talk = await chat();
  const first = talk.append(user("one"));
  talk.append([assistant("a"), user("b")]);
  talk.edit(first, user("two"));
  talk.append(calling("open"));
  const { report } = await talk.request();
  expect(report.repairs).toMatchObject([{ kind: "unanswered-call", index: 1 }]);
});

test("a copy and a file bring the notes and what was learnt of the model's tokens", async () => {
  const head = { tip: "a", records: [], checkpoints: [], format: "openai-chat" as const, meta: { title: "T", list: [1] }, notes: { "/memories/a.md": "words" }, calibration: { factor: 1.5, samples: 3, model: "mine" } };
  const talk = await Conversation.from({ ...head, id: "x", agent: "main", nodes: [{ id: "a", parent: null, at: 1, message: user("a") }] }, { store: memoryStore() });
  const store = memoryStore();
  const copy = await talk.duplicate({ id: "copy", store });
  const { tip: _, ...rest } = head;
  expect(await store.load("copy", "main")).toMatchObject(rest);
  expect(JSON.parse(copy.export("json"))).toMatchObject(rest);
  // Neither shares what can be changed.
  (copy.meta["list"] as number[]).push(2);
  expect(talk.meta["list"]).toEqual([1]);
});

test("a file read in under a name in use: what bears an id that is taken becomes another, and nothing is lost", async () => {
  const store = memoryStore();
  const talk = await chat({ store });
  talk.append(user("stored"), { id: "a" });
  await talk.commit();
  const nodes = [{ id: "a", parent: null, at: 1, message: user("read in") }, { id: "b", parent: "a", at: 2, message: assistant("and its answer") }];
  const read = await Conversation.from({ id: "talk", agent: "main", tip: "b", records: [], checkpoints: [{ label: "here", at: "a" }], format: "openai-chat", meta: {}, notes: {}, nodes }, { store });
  await read.commit();
  expect(texts(read)).toEqual(["read in", "and its answer"]);
  const again = await Conversation.open({ store, id: "talk" });
  expect(again.get("a")?.message).toEqual(user("stored"));
  expect(texts(again)).toEqual(["read in", "and its answer"]);
  expect(again.checkpoints()).toEqual([{ label: "here", at: again.messages()[0]!.id }]);
  expect(again.tree()).toHaveLength(3);
});

test("a title that is set while a commit is under way is written by the next", async () => {
  const inner = memoryStore();
  let during = (): void => {};
  const talk = await chat({ store: { ...inner, commit: async (...asked) => (await inner.commit(...asked).finally(() => during())) } });
  talk.append(user("a"));
  talk.meta["title"] = "first";
  during = () => void (talk.meta["title"] = "second");
  await talk.commit();
  during = () => {};
  await talk.commit();
  expect((await inner.load("talk", "main"))!.meta).toEqual({ title: "second" });
});
