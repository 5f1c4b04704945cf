/** Records that come and go while a summary is written: what its request laid does not undo them. */
import { expect, test } from "vitest";
import { Conversation } from "../../../pkg/entry/node.js";
import { memoryStore } from "../../../pkg/stores/memory.js";
import type { Store } from "../../../pkg/stores/store.js";
import { assistant, calling, MODEL, result, until, user } from "./talk.js";

const STORY = "## Key decisions\n- go on\n## Context\n- a story";

/** A conversation for which a summary is due, two results at its end, with what opens it again as it was asked. */
async function due(store: Store, before: any[] = []): Promise<{ talk: Conversation; open: () => Promise<Conversation>; begun: () => boolean; tell: () => void }> {
  let asked = false;
  let tell = (): void => {};
  const words = new Promise<string>((resolve) => (tell = () => resolve(STORY)));
  const summarize = (): Promise<string> => ((asked = true), words);
  const open = (): Promise<Conversation> => Conversation.open({ store, id: "talk", format: "openai-chat", model: MODEL, rungs: ["summary", "window"], summarize });
  const talk = await open();
  if (before.length > 0) talk.append(before);
  for (let n = 0; n < 22; n++) talk.append([user(`go on ${n}`), assistant(`step ${n}: ${"word ".repeat(300)}`)]);
  for (const id of ["a", "b"]) talk.append([user("run it"), calling(id), result(id, `${id} ${"word ".repeat(600)}`), assistant("so.")]);
  return { talk, open, begun: () => asked, tell };
}

/** Gives up the first of the two results. */
const shake = (talk: Conversation): Promise<any> => talk.compact({ force: true, rungs: ["elide"], elide: { keepResults: 1 }, threshold: 0.1, target: 0.05, onUnfit: "return" });
const rungs = (talk: Conversation): string[] => talk.timeline().flatMap((entry) => (entry.kind === "compaction" ? [entry.record.rung] : []));

test.each(["here", "by another writer"])("a record that is taken off %s meanwhile stays off", async (where) => {
  const store = memoryStore();
  const { talk, open, begun, tell } = await due(store);
  const [record] = (await shake(talk)).records;
  await talk.commit();
  const asked = talk.request();
  await until(begun);
  const whose = where === "here" ? talk : await open();
  whose.uncompact(record.id);
  await whose.commit();
  await until(() => rungs(talk).length === 0);
  tell();
  await asked;
  expect(rungs(talk)).toEqual(["summary"]);
  const { body } = await talk.request();
  expect(JSON.stringify(body)).toContain("a story");
  expect(JSON.stringify(body)).toContain("a word word");
  await talk.commit();
  expect((await (await open()).request()).body).toEqual(body);
});

test("nor does what is left of one beside the summary come back", async () => {
  const long = `0 ${"word ".repeat(600)}`;
  const { talk, begun, tell } = await due(memoryStore(), [user("begin"), assistant("so."), user("run it"), calling("0"), result("0", long)]);
  const [record] = (await shake(talk)).records;
  expect(record.items).toHaveLength(2);
  const asked = talk.request();
  await until(begun);
  talk.uncompact(record.id);
  tell();
  // One of the two is in what was retold.
  expect((await asked).report.records).toMatchObject([{ rung: "summary" }, { rung: "elide", items: [expect.any(String)] }]);
  expect(rungs(talk)).toEqual(["summary"]);
});

test("a record that another writer lays meanwhile holds beside the summary", async () => {
  const store = memoryStore();
  const { talk, open, begun, tell } = await due(store);
  await talk.commit();
  const asked = talk.request();
  await until(begun);
  const other = await open();
  await shake(other);
  await other.commit();
  await until(() => rungs(talk).length > 0);
  tell();
  await asked;
  expect(rungs(talk)).toEqual(["summary", "elide"]);
  const { body } = await talk.request();
  expect(JSON.stringify(body)).not.toContain("a word word");
  await talk.commit();
  expect((await (await open()).request()).body).toEqual(body);
});
