/** Records over records: a history from which a window was dropped, and that a model which can see is then given pages of. */
import { beforeEach, expect, test } from "vitest";
import { check, Conversation } from "../../../pkg/entry/node.js";
import { importSession } from "../../../pkg/sessions.js";
import { memoryStore } from "../../../pkg/stores/memory.js";
import type { Store } from "../../../pkg/stores/store.js";
import { user } from "./talk.js";

const MODEL = { id: "claude-sonnet-4-5", window: 20_000 };
const words = (count: number, seed: number): string => Array.from({ length: count }, (_, at) => `word${(seed * 7_919 + at * 104_729) % 99_991}`).join(" ");
const exchange = (turn: number): any[] => [user(`asked ${turn} ${words(50, turn)}`), { role: "assistant", content: [{ type: "text", text: `said ${turn} ${words(300, turn + 1_000)}` }] }];

/** Turns from … to … and a question that waits. */
function grow(talk: Conversation, from: number, to: number): void {
  for (let turn = from; turn < to; turn++) talk.append(exchange(turn));
  talk.append(user("Go on."));
}

let store: Store;
let talk: Conversation;
let body: any;
const open = (id = "talk"): Promise<Conversation> => Conversation.open({ store, id, format: "anthropic", model: MODEL });

beforeEach(async () => {
  store = memoryStore();
  talk = await open();
  talk.append(exchange(0));
  await talk.commit();
  grow(talk, 1, 16);
  expect((await talk.request({ rungs: ["window"] })).report.records.map(({ rung }) => rung)).toEqual(["window"]);
  talk.append({ role: "assistant", content: "Yes." });
  grow(talk, 16, 30);
  body = (await talk.request()).body;
});

/** Where the pages begin, by what is said there. */
function begins(shown: Conversation): string {
  const [record, ...more] = shown.timeline().flatMap((entry) => (entry.kind === "compaction" && entry.record.rung === "snapshot" ? [entry.record as any] : []));
  expect(more).toEqual([]);
  expect(record.leftOut).toBeGreaterThan(0);
  const { content } = shown.get(record.drawnFrom)!.message;
  return JSON.stringify(content).slice(0, 60);
}

test("the pages begin after what the window dropped, and can be sent", async () => {
  expect(await check(body, { format: "anthropic" })).toEqual([]);
  expect(begins(talk)).toMatch(/(asked|said) \d+ /);
  expect(talk.messages()).toHaveLength(2 * 30 + 3);
  expect((await talk.request()).body).toEqual(body);
});

test("opened again, copied, exported and read back, they begin there, too", async () => {
  await talk.commit();
  const [exported] = (await importSession(talk.export("json"))).conversations;
  const others = [await open(), await talk.duplicate({ id: "copy" }), await open("copy"), await Conversation.from(exported!, { store: memoryStore(), model: MODEL })];
  for (const other of others) {
    expect(begins(other)).toBe(begins(talk));
    expect((await other.request()).body).toEqual(body);
  }
});

test("and when ids clash with another writer's, and ours become others", async () => {
  const begin = begins(talk);
  const other = await open();
  // All of ours that are not committed, under the very ids.
  const ours = talk.messages().filter(({ id }) => !other.get(id));
  expect(ours).toHaveLength(61);
  for (const { id } of ours) other.append(user(`other ${id}`), { id });
  await other.commit();
  await talk.commit();
  expect(talk.messages().some(({ id }) => ours.some((former) => former.id === id))).toBe(false);
  expect(begins(talk)).toBe(begin);
  // Away and back: nothing of the newest request is at hand.
  const tip = talk.tip!;
  talk.branch(talk.messages()[4]!.id);
  await talk.request();
  talk.branch(tip);
  expect((await talk.request()).body).toEqual(body);
  const again = await open();
  again.select(talk.tip!);
  expect(begins(again)).toBe(begin);
  expect((await again.request()).body).toEqual(body);
});
