/** While a model takes its time over a summary: who else waits, and what is safe by then. */
import { expect, test } from "vitest";
import type { Conversation } from "../../../pkg/entry/node.js";
import { memoryStore } from "../../../pkg/stores/memory.js";
import type { Store } from "../../../pkg/stores/store.js";
import { assistant, chat, texts, until, user } from "./talk.js";

const STORY = "## Key decisions\n- go on\n## Context\n- a story";

/** A conversation for which a summary is due, a request of it, and what gives the words that it waits for. */
async function waiting(store: Store = memoryStore()): Promise<{ talk: Conversation; asked: Promise<any>; tell: () => void }> {
  const talk = await chat({ store, rungs: ["summary", "window"] });
  talk.append(Array.from({ length: 40 }, (_, n) => (n % 2 ? assistant(`step ${n}: ${"word ".repeat(300)}`) : user(`go on ${n}`))));
  let begun = false;
  let tell = (): void => {};
  const words = new Promise<string>((resolve) => (tell = () => resolve(STORY)));
  const asked = talk.request({ summarize: () => ((begun = true), words) });
  await until(() => begun);
  return { talk, asked, tell };
}

test("who calls a request off that has not begun waits no longer, and the one that has begun goes on", async () => {
  const { talk, asked, tell } = await waiting();
  const off = new AbortController();
  const second = talk.request({ signal: off.signal });
  off.abort(new Error("no longer wanted"));
  await expect(second).rejects.toThrow("no longer wanted");
  await expect(talk.compact({ signal: AbortSignal.abort(new Error("never wanted")) })).rejects.toThrow("never wanted");
  tell();
  expect((await asked).report.rungs.find(({ rung }: any) => rung === "summary")).toMatchObject({ ran: true });
  expect((await talk.request()).report.fits).toBe(true);
});

test("what is whole is stored by a close before it waits, and the summary is once it is there", async () => {
  const store = memoryStore();
  const { talk, asked, tell } = await waiting(store);
  const closed = talk.close();
  let stored = 0;
  await until(() => (void store.list().then(([one]) => (stored = one?.messages ?? 0)), stored === 40));
  expect((await store.load("talk", "main"))!.records).toEqual([]);
  tell();
  await Promise.all([asked, closed]);
  expect((await store.load("talk", "main"))!.records).toMatchObject([{ rung: "summary" }]);
});

test("a draft that is replaced meanwhile is in the request as it was", async () => {
  const talk = await chat({ rungs: ["summary", "window"] });
  talk.append(Array.from({ length: 40 }, (_, n) => (n % 2 ? assistant(`step ${n}: ${"word ".repeat(300)}`) : user(`go on ${n}`))));
  const draft = talk.append(user("He"));
  let inner: unknown;
  const { body } = await talk.request({
    summarize: async () => {
      inner ??= await talk.measure(); // it goes ahead of this one
      talk.update(draft, user("Hello"));
      return STORY;
    },
  });
  expect(body.messages.at(-1)).toEqual(user("He"));
  expect(talk.messages().at(-1)!.message).toEqual(user("Hello"));
  expect(inner).toMatchObject({ fill: expect.any(Number) });
});

test("a request for which nothing is due goes ahead, and the summary is laid behind it", async () => {
  const store = memoryStore();
  const talk = await chat({ store, rungs: ["summary", "window"] });
  talk.append(Array.from({ length: 20 }, (_, n) => (n % 2 ? assistant(`step ${n}: ${"word ".repeat(200)}`) : user(`go on ${n}`))));
  let begun = false;
  let tell = (): void => {};
  const words = new Promise<string>((resolve) => (tell = () => resolve(STORY)));
  const compacted = talk.compact({ force: true, summarize: () => ((begun = true), words) });
  await until(() => begun);
  for (const turn of ["and now?", "and then?"]) {
    talk.append(user(turn));
    const { body, report } = await talk.request({ summarize: () => Promise.reject(new Error("not due")) });
    expect(body.messages).toEqual(talk.messages().map(({ message }) => message));
    expect(report.records).toEqual([]);
    talk.append(assistant("so."));
    await talk.commit();
  }
  tell();
  expect((await compacted).rungs.find(({ rung }) => rung === "summary")).toMatchObject({ ran: true });
  const { body } = await talk.request();
  expect(JSON.stringify(body.messages)).toContain("a story");
  expect(body.messages.map(({ content }: any) => content).slice(-4)).toEqual(["and now?", "so.", "and then?", "so."]);
  expect(texts(talk)).toHaveLength(24);
  await talk.commit();
  const again = await chat({ store, rungs: ["summary", "window"] });
  expect((await again.request()).body).toEqual(body);
});

test("a request for which something is due waits, and goes on from the summary", async () => {
  const { talk, asked, tell } = await waiting();
  let more = 0;
  const second = talk.request({ summarize: async () => (more++, STORY) });
  let free = false;
  const third = talk.request({ rungs: ["window"] }).finally(() => (free = true));
  await talk.measure();
  expect(free).toBe(false);
  tell();
  const [{ body }, other, { report }] = await Promise.all([asked, second, third]);
  expect(other.body).toEqual(body);
  expect(report.records.map(({ rung }) => rung)).toEqual(["summary"]);
  expect(more).toBe(0);
});

test("who waits for a summary that is called off, or fails, asks for one", async () => {
  const talk = await chat({ rungs: ["summary", "window"] });
  talk.append(Array.from({ length: 40 }, (_, n) => (n % 2 ? assistant(`step ${n}: ${"word ".repeat(300)}`) : user(`go on ${n}`))));
  for (const end of ["abort", "fail"]) {
    const off = new AbortController();
    let fail = (_: Error): void => {};
    let begun = false;
    const never = new Promise<string>((_, reject) => (fail = reject));
    const first = talk.request({ signal: off.signal, summarize: () => ((begun = true), never), rungs: ["summary"] });
    await until(() => begun);
    const second = talk.request({ summarize: async () => STORY });
    await talk.measure();
    if (end === "abort") off.abort(new Error("enough"));
    else fail(new Error("the line is dead"));
    await expect(first).rejects.toThrow(end === "abort" ? "enough" : "do not fit");
    const { body, report } = await second;
    expect(JSON.stringify(body)).toContain("a story");
    talk.uncompact(report.records[0]!.id);
  }
  await talk.close();
});

test("who calls one off just before its turn comes disturbs nobody who asks for words by then", async () => {
  for (let pause = 0; pause < 20; pause++) {
    const talk = await chat({ rungs: ["summary", "window"] });
    talk.append(Array.from({ length: 40 }, (_, n) => (n % 2 ? assistant(`step ${n}: ${"word ".repeat(300)}`) : user(`go on ${n}`))));
    const off = new AbortController();
    let begun = false;
    let tell = (): void => {};
    const words = new Promise<string>((resolve) => (tell = () => resolve(STORY)));
    const first = talk.request({ signal: off.signal, summarize: () => ((begun = true), words) });
    const ended = expect(first).rejects.toThrow("no longer wanted");
    await until(() => begun);
    const abort = async (): Promise<void> => {
      for (let n = 0; n < pause; n++) await undefined;
      off.abort(new Error("no longer wanted"));
    };
    // The first one's words are there, and it waits while the second looks for what is remembered.
    let looked = false;
    const get = async (): Promise<null> => {
      if (looked) return null;
      looked = true;
      tell();
      await new Promise((resolve) => setTimeout(resolve, 2));
      void abort();
      return null;
    };
    const put = async (): Promise<void> => {};
    const moment = (): Promise<string> => new Promise((resolve) => setTimeout(() => resolve(STORY), 2));
    const second = talk.request({ memo: { get, put }, summarize: moment });
    expect(JSON.stringify((await second).body)).toContain("a story");
    await ended;
    await talk.close();
  }
});

test("what an answer cost is held against the request it answers, not against a compaction made meanwhile", async () => {
  const talk = await chat({ rungs: ["summary", "window"] });
  talk.append(Array.from({ length: 21 }, (_, n) => (n % 2 ? assistant(`step ${n}: ${"word ".repeat(200)}`) : user(`go on ${n}`))));
  const { report } = await talk.request();
  expect((await talk.compact({ force: true, summarize: async () => STORY })).after.tokens).toBeLessThan(report.after.tokens / 2);
  await talk.command("/shake");
  talk.appendReply({ choices: [{ index: 0, message: assistant("so.") }], usage: { prompt_tokens: report.estimated } });
  expect(JSON.parse(talk.export("json")).calibration.factor).toBeCloseTo(1, 2);
});
