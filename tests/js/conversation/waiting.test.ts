/** While a model takes its time over a summary: who else waits, and what is safe by then. */
import { expect, test } from "vitest";
import type { Conversation } from "../../../pkg/entry/node.js";
import { memoryStore } from "../../../pkg/stores/memory.js";
import type { Store } from "../../../pkg/stores/store.js";
import { assistant, chat, until, user } from "./talk.js";

/** A conversation for which a summary is due, a request of it, and what gives the words that it waits for. */
async function waiting(store: Store = memoryStore()): Promise<{ talk: Conversation; asked: Promise<any>; tell: () => void }> {
  const talk = await chat({ store, rungs: ["summary", "window"] });
  talk.append(Array.from({ length: 40 }, (_, n) => (n % 2 ? assistant(`step ${n}: ${"word ".repeat(300)}`) : user(`go on ${n}`))));
  let begun = false;
  let tell = (): void => {};
  const words = new Promise<string>((resolve) => (tell = () => resolve("## Key decisions\n- go on\n## Context\n- a story")));
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
  let inner: Promise<unknown> | undefined;
  const { body } = await talk.request({
    summarize: async () => {
      inner ??= talk.measure(); // it waits for this one
      talk.update(draft, user("Hello"));
      return "## Key decisions\n- go on\n## Context\n- a story";
    },
  });
  expect(body.messages.at(-1)).toEqual(user("He"));
  expect(talk.messages().at(-1)!.message).toEqual(user("Hello"));
  await expect(inner).resolves.toMatchObject({ fill: expect.any(Number) });
});
