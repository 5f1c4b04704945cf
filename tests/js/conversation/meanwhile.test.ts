/** What happens to a conversation while a request is made of it: the request is for the path as it was when it began. */
import { expect, test } from "vitest";
import { type Conversation, PalimpsestError } from "../../../pkg/entry/node.js";
import { memoryStore } from "../../../pkg/stores/memory.js";
import { assistant, chat, user } from "./talk.js";

/** What a conversation that never held anything else would be sent. */
async function anew(talk: Conversation, options: object = {}) {
  const fresh = await chat();
  fresh.append(talk.messages().map(({ message }) => message));
  return sent(fresh, options);
}

async function sent(talk: Conversation, options: object = {}) {
  const { body, report } = await talk.request(options);
  return { messages: body.messages, tokens: report.before.tokens };
}

test.each(["countTokens", "countRequest"] as const)("a draft that is replaced in the middle of `%s`", async (callback) => {
  const talk = await chat();
  talk.append(user("a"));
  const draft = talk.append(assistant("one"));
  let times = 0;
  const counts = (said: unknown): number => {
    if (times++ === 0) talk.update(draft, assistant("one and many words more, which cost something"));
    return JSON.stringify(said).length;
  };
  const { body } = await talk.request({ [callback]: counts });
  expect(times).toBeGreaterThan(0);
  expect(body.messages).toEqual([user("a"), assistant("one")]);
  expect(await sent(talk, { [callback]: counts })).toEqual(await anew(talk, { [callback]: counts }));
  talk.append(user("b"));
  expect(await sent(talk, { [callback]: counts })).toEqual(await anew(talk, { [callback]: counts }));
});

test("counts of the caller's hold for what was priced before, and for what was not counted because the request was called off", async () => {
  const talk = await chat();
  talk.append([user("a"), assistant("one and many words more")]);
  const counts = { countTokens: (said: string): number => 100 * said.length };
  await talk.request();
  expect(await sent(talk, counts)).toEqual(await anew(talk, counts));
  expect(await sent(talk)).toEqual(await anew(talk));
  talk.append(user("b"));
  const off = new AbortController();
  const countTokens = (said: string): number => (off.abort(new Error("enough")), said.length);
  await expect(talk.request({ countTokens, signal: off.signal })).rejects.toThrow("enough");
  expect(await sent(talk, counts)).toEqual(await anew(talk, counts));
});

test("messages that are added in the middle, and a branch that is left", async () => {
  const talk = await chat();
  const first = talk.append([user("a"), assistant("b")]);
  await talk.request();
  const { body } = await talk.request({
    countRequest: async () => {
      talk.append([user("c"), assistant("d")]);
      return 7;
    },
  });
  expect(body.messages).toEqual([user("a"), assistant("b")]);
  expect(await sent(talk)).toEqual(await anew(talk));
  const second = talk.tip;
  talk.branch(first);
  talk.append(user("e"));
  expect(await sent(talk)).toEqual(await anew(talk));
  talk.branch(second);
  expect(await sent(talk)).toEqual(await anew(talk));
  talk.append(user("f"));
  expect(await sent(talk)).toEqual(await anew(talk));
});

test("a body belongs to the caller", async () => {
  const talk = await chat();
  talk.append([user("a"), assistant("b"), user("c")]);
  const { body } = await talk.request();
  body.messages.length = 0;
  const shown = talk.messages();
  expect((await talk.request()).body.messages).toEqual(shown.map(({ message }) => message));
  expect(shown).toHaveLength(3);
});

test("a history whose objects were built anew, with their fields in another order, is known on every branch", async () => {
  const talk = await chat();
  const turned = (messages: any[]): any[] => messages.map(({ role, content }) => ({ content, role }));
  const [one, other] = [[user("a"), assistant("b"), user("c")], [user("a"), assistant("b, again"), user("d"), assistant("e")]];
  for (const history of [one, other]) talk.sync(history);
  const before = talk.tree();
  for (const history of [one, other, one.slice(0, 2), other.slice(0, 3), other]) {
    expect(talk.sync(turned(history))).toEqual({ added: 0, tip: talk.tip });
    expect(talk.messages().map(({ message }) => message)).toEqual(history);
  }
  expect(talk.tree().map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  // A field more, or less, of what is committed is another message.
  await talk.commit();
  const more = { ...other[3], name: "bob" };
  expect(talk.sync([...other.slice(0, 3), more]).added).toBe(1);
  expect(talk.sync([...other.slice(0, 3), { ...more, refusal: undefined }]).added).toBe(0);
  expect(talk.sync(other)).toEqual({ added: 0, tip: before.at(-1)!.id });
  // What cannot be read moves nothing.
  const shown = talk.messages();
  for (const bad of [null, "text", {}, { role: "user", content: 5n }]) expect(() => talk.sync([user("a"), user("new"), bad as any])).toThrow(PalimpsestError);
  expect(talk.messages()).toBe(shown);
});

test("an answer that is handed over while it streams is one message", async () => {
  const talk = await chat();
  const history = [user("a")];
  talk.sync(history);
  const call = { id: "c", type: "function", function: { name: "f", arguments: "{" } };
  const whole = { role: "assistant", content: "Well", tool_calls: [{ ...call, function: { name: "f", arguments: "{}" } }] };
  const stream = [{ role: "assistant", content: null }, { role: "assistant", content: "We" }, { role: "assistant", content: "Well" }, { ...whole, tool_calls: [call] }];
  const [id] = stream.map((message) => talk.sync([...history, message] as any).tip);
  expect(talk.tree()).toHaveLength(2);
  // The end may come together with what follows it; what cannot be read takes nothing back.
  const before = talk.messages();
  expect(() => talk.sync([...history, whole, { role: "user", content: 5n }] as any)).toThrow(PalimpsestError);
  expect(talk.messages().map(({ message }) => message)).toEqual(before.map(({ message }) => message));
  const result = { role: "tool", tool_call_id: "c", content: "1" };
  expect(talk.sync([...history, whole, result] as any).added).toBe(1);
  expect(talk.messages().map(({ message }) => message)).toEqual([...history, whole, result]);
  expect(talk.messages()[1]!.id).toBe(id);
  // Other words, or the same once they are followed or committed, are another message.
  expect(talk.sync([...history, assistant("Well, no")])).toEqual({ added: 1, tip: talk.tip });
  await talk.commit();
  expect(talk.sync([...history, assistant("Well, no: never")]).added).toBe(1);
  expect(talk.siblings(id!).ids).toHaveLength(3);
});

test("while it is committed an answer that grew is another message", async () => {
  const talk = await chat();
  talk.sync([user("a"), assistant("b")]);
  const committed = talk.commit();
  expect(talk.sync([user("a"), assistant("bc")]).added).toBe(1);
  await committed;
  await talk.commit();
  expect(talk.siblings(talk.tip!).ids).toHaveLength(2);
});

test("a draft that is appended right after a request and a commit is in neither", async () => {
  const store = memoryStore();
  const talk = await chat({ store });
  talk.append(user("a"));
  const saved = talk.commit();
  const asked = talk.request();
  const measured = talk.measure();
  const draft = talk.append(assistant(""));
  await saved;
  expect((await asked).body.messages).toEqual([user("a")]);
  expect((await store.load("talk", "main"))!.nodes).toHaveLength(1);
  talk.update(draft, assistant("b"));
  await Promise.all([talk.commit(), measured]);
  expect((await store.load("talk", "main"))!.nodes.map(({ message }) => message)).toEqual([user("a"), assistant("b")]);
});
