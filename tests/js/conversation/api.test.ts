/** `Conversation` through the package: what each call does. */
import { describe, expect, test, vi } from "vitest";
import { Conversation, check, OpenTurnError, OptionError, QuotaError, UnknownCheckpointError, UnsupportedFormatError } from "../../../pkg/entry/node.js";
import { memoryStore } from "../../../pkg/stores/memory.js";
import type { Store } from "../../../pkg/stores/store.js";
import { assistant, calling, chat, texts, user } from "./talk.js";

describe("opening", () => {
  test("a new one needs a format, a stored one knows its own", async () => {
    const store = memoryStore();
    await expect(Conversation.open({ store, id: "a" })).rejects.toThrow(OptionError);
    const first = await Conversation.open({ store, id: "a", format: "anthropic" });
    first.append({ role: "user", content: "hello" });
    first.meta.title = "Greeting";
    await first.commit();
    const again = await Conversation.open({ store, id: "a" });
    expect([again.format, again.agent, again.meta.title, again.tip]).toEqual(["anthropic", "main", "Greeting", first.tip]);
    expect(again.messages()).toEqual(first.messages());
    await expect(Conversation.open({ store, id: "a", format: "openai-chat" })).rejects.toThrow(/anthropic/);
    expect((await store.list())[0]).toMatchObject({ id: "a", messages: 1, meta: { title: "Greeting" } });
  });

  test("formats that are not read, options that make no sense", async () => {
    const store = memoryStore();
    await expect(Conversation.open({ store, id: "a", format: "gemini" })).rejects.toThrow(UnsupportedFormatError);
    for (const wrong of [{ id: "" }, { id: 7 }, { store: {} }, { agent: 1 }, { load: {} }, { load: { messages: -1 } }, { load: { tokens: NaN } }]) {
      await expect(Conversation.open({ store, id: "a", format: "openai-chat", ...(wrong as object) }), JSON.stringify(wrong)).rejects.toThrow(OptionError);
    }
    expect(() => new (Conversation as any)()).toThrow(OptionError);
  });

  test("agents do not see one another's history", async () => {
    const store = memoryStore();
    const [one, two] = [await chat({ store, agent: "one" }), await chat({ store, agent: "two" })];
    one.append(user("for one"));
    two.append(user("for two"));
    await Promise.all([one.commit(), two.commit()]);
    expect(texts(await chat({ store, agent: "one" }))).toEqual(["for one"]);
    expect(texts(await chat({ store, agent: "two" }))).toEqual(["for two"]);
  });
});

describe("growing", () => {
  test("append, branch, edit, select, children, siblings", async () => {
    const talk = await chat();
    const a = talk.append(user("a"));
    const b = talk.append(assistant("b"));
    const c = talk.append([user("c"), assistant("d")]);
    expect(texts(talk)).toEqual(["a", "b", "c", "d"]);
    talk.branch(b);
    const other = talk.append(user("c2"));
    expect(texts(talk)).toEqual(["a", "b", "c2"]);
    expect(talk.children(b)).toHaveLength(2);
    expect(talk.siblings(other)).toEqual({ ids: talk.children(b), index: 1 });
    talk.select(talk.children(b)[0]!);
    expect(talk.tip).toBe(c);
    const edited = talk.edit(a, user("a2"));
    expect(talk.children(null)).toEqual([a, edited]);
    expect(texts(talk)).toEqual(["a2"]);
    talk.branch(null);
    expect([talk.tip, texts(talk)]).toEqual([null, []]);
    talk.append(user("e"), { parent: a, id: "mine", meta: { starred: true } });
    expect(talk.get("mine")).toMatchObject({ parent: a, meta: { starred: true } });
    expect(texts(talk)).toEqual(["a", "e"]);
    talk.append(user("root"), { parent: null });
    expect(texts(talk)).toEqual(["root"]);
    expect(talk.tree()).toHaveLength(8);
  });

  test("what is refused changes nothing", async () => {
    const talk = await chat();
    talk.append(user("a"), { id: "a" });
    const before = [talk.export("json"), talk.messages()];
    const refused = [
      () => talk.append(user("b"), { parent: "nowhere" }),
      () => talk.append(user("b"), { id: "a" }),
      () => talk.append(user("b"), { id: "x".repeat(600) }),
      () => talk.append([user("b"), user("c")], { id: "b" }),
      () => talk.append([user("b"), "no message" as any]),
      () => talk.append([]),
      () => talk.append({ text: "no role" }),
      () => talk.edit("nowhere", user("b")),
      () => talk.update("nowhere", user("b")),
      () => talk.branch("nowhere"),
      () => talk.select("nowhere"),
      () => talk.children("nowhere"),
      () => talk.siblings("nowhere"),
      () => talk.uncompact("nothing"),
      () => talk.checkpoint(""),
      () => talk.rewind("nowhere"),
      () => talk.export("pdf" as any),
    ];
    for (const call of refused) expect(call, String(call)).toThrow(expect.objectContaining({ code: expect.stringMatching(/option|unknown-node|unknown-checkpoint|unsupported-format/) }));
    expect([talk.export("json"), talk.messages()]).toEqual(before);
    expect(talk.messages()).toBe(before[1]);
  });

  test("a draft that streams", async () => {
    const talk = await chat();
    talk.append(user("a"));
    const draft = talk.append(assistant(""));
    for (const words of ["o", "on", "one"]) {
      talk.update(draft, assistant(words));
      expect(texts(talk)).toEqual(["a", words]);
    }
    expect((await talk.request()).body.messages.at(-1)).toEqual(assistant("one"));
    talk.update(draft, calling("c1"));
    expect(talk.openCalls()).toEqual([{ id: "c1", name: "run", input: "{}", at: draft }]);
    await expect(talk.commit()).rejects.toThrow(OpenTurnError);
    talk.update(draft, assistant("two"));
    await talk.commit();
    expect(() => talk.update(draft, assistant("three"))).toThrow(OptionError);
    expect(talk.tree().at(-1)!.preview).toBe("two");
  });

  test("replies of clients", async () => {
    const talk = await chat();
    talk.append(user("a"));
    await talk.request();
    const usage = { prompt_tokens: 40, completion_tokens: 2 };
    const message = { role: "assistant", content: "b", refusal: null, annotations: [], audio: null, tool_calls: [] };
    talk.appendReply({ id: "x", choices: [{ index: 0, message, finish_reason: "stop" }], usage });
    expect(talk.messages().at(-1)!.message).toEqual(assistant("b"));
    await talk.commit();
    expect(() => talk.appendReply({ role: "assistant", content: [] })).toThrow(UnsupportedFormatError);
    expect(() => talk.appendReply({ choices: [] })).toThrow(UnsupportedFormatError);

    const other = await Conversation.open({ store: memoryStore(), id: "b", format: "anthropic", model: "claude-sonnet-4-5" });
    other.append({ role: "user", content: "a" });
    const { report } = await other.request();
    const content = [{ type: "text", text: "b" }];
    other.appendReply({ id: "m", type: "message", role: "assistant", model: "x", content, stop_reason: "end_turn", usage: { input_tokens: 2 * report.estimated } });
    expect(other.messages().at(-1)!.message).toEqual({ role: "assistant", content });
    expect(JSON.parse(other.export("json")).calibration.factor).toBeGreaterThan(1);
    other.append({ role: "user", content: "c" });
    expect((await other.request()).report.after.tokens).toBeGreaterThan((await other.request()).report.estimated);
  });

  test("of speech the id goes back, not the sound", async () => {
    const talk = await chat();
    const id = talk.appendReply({ choices: [{ message: { role: "assistant", content: null, audio: { id: "audio_1", data: "UklGRg==", transcript: "hi" } } }] });
    expect(talk.get(id)?.message).toEqual({ role: "assistant", content: null, audio: { id: "audio_1" } });
  });

  test("an app that holds the history itself", async () => {
    const talk = await chat();
    const history = [user("a"), assistant("b"), user("c")];
    expect(talk.sync(history)).toEqual({ added: 3, tip: talk.tip });
    expect(talk.sync(structuredClone(history))).toEqual({ added: 0, tip: talk.tip });
    expect(talk.tree()).toHaveLength(3);
    const edited = [user("a"), assistant("b"), user("other"), assistant("d")];
    expect(talk.sync(edited).added).toBe(2);
    expect(texts(talk)).toEqual(["a", "b", "other", "d"]);
    expect(talk.sync(history).added).toBe(0);
    expect(texts(talk)).toEqual(["a", "b", "c"]);
    expect(talk.tree()).toHaveLength(5);
  });
});

describe("for screens", () => {
  test("the same array until something changes; listeners hear of every change", async () => {
    const talk = await chat();
    const { messages, timeline, subscribe } = talk;
    const heard = vi.fn();
    const end = subscribe(heard);
    talk.append(user("a"));
    expect(heard).toHaveBeenCalledTimes(1);
    const [shown, lines] = [messages(), timeline()];
    expect(messages()).toBe(shown);
    expect(timeline()).toBe(lines);
    await talk.commit();
    await talk.request();
    expect(messages()).toBe(shown);
    expect(timeline()).toBe(lines);
    talk.append(assistant("b"));
    expect(shown).toHaveLength(1);
    expect(messages()).toHaveLength(2);
    expect(messages()[0]).toBe(shown[0]);
    expect(timeline()[0]).toBe(lines[0]);
    end();
    talk.append(user("c"));
    expect(heard).toHaveBeenCalledTimes(2);
    expect(timeline().map((entry: any) => entry.node.message.content)).toEqual(["a", "b", "c"]);
  });

  test("a listener that throws keeps nobody from hearing", async () => {
    const talk = await chat();
    const said = vi.spyOn(console, "error").mockImplementation(() => {});
    const heard = vi.fn();
    talk.subscribe(() => {
      throw new Error("mine");
    });
    talk.subscribe(heard);
    talk.append(user("a"));
    expect(heard).toHaveBeenCalled();
    said.mockRestore();
  });
});

describe("turns", () => {
  test("a turn is committed whole", async () => {
    const store = memoryStore();
    const talk = await chat({ store });
    talk.append(user("a"));
    await talk.commit();
    talk.append(calling("c1", { path: "x" }));
    const refused = await talk.commit().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(OpenTurnError);
    expect((refused as OpenTurnError).calls).toEqual(["c1"]);
    expect((await store.load("talk", "main"))!.nodes).toHaveLength(1);
    // In what is sent it is answered; in what is kept it is not.
    talk.append(user("never mind"));
    const { body } = await talk.request();
    expect(await check(body, { format: "openai-chat" })).toEqual([]);
    expect(body.messages).toHaveLength(4);
    expect(talk.messages()).toHaveLength(3);
  });

  test("retry", async () => {
    const talk = await chat();
    expect(await talk.retry()).toEqual({ status: "nothing-loaded" });
    const a = talk.append(user("a"));
    expect(await talk.retry()).toMatchObject({ status: "ready", body: { messages: [user("a")] } });
    talk.append(calling("c1"));
    expect(await talk.retry()).toMatchObject({ status: "ready", body: { messages: [user("a")] } });
    expect(talk.tip).toBe(a);
    talk.append(assistant("b"));
    expect(await talk.retry()).toEqual({ status: "nothing-to-retry" });
    expect(talk.children(a)).toHaveLength(2);
  });

  test("checkpoints and rewinding", async () => {
    const store = memoryStore();
    const talk = await chat({ store });
    const a = talk.append(user("a"));
    talk.checkpoint("start");
    talk.append(assistant("b"));
    expect(talk.checkpoints()).toEqual([{ label: "start", at: a }]);
    await talk.commit();
    const again = await chat({ store });
    const learnt = again.rewind("start", { synthesis: "b was wrong" });
    expect(texts(again)).toEqual(["a", "b was wrong"]);
    expect(again.get(learnt)!.message.role).toBe("system");
    expect(() => again.rewind("other")).toThrow(UnknownCheckpointError);
    expect(() => again.rewind("start", { synthesis: " " })).toThrow(OptionError);
    expect(again.rewind("start")).toBe(a);
  });

  test("close commits what is whole and drops the rest", async () => {
    const store = memoryStore();
    const talk = await chat({ store });
    talk.append(user("a"));
    talk.append(calling("c1"));
    const shown = talk.messages;
    await talk.close();
    await talk.close();
    expect(shown().map(({ message }) => message.role)).toEqual(["user"]);
    expect(() => talk.append(user("b"))).toThrow(/closed/);
    expect(texts(await chat({ store }))).toEqual(["a"]);
    const other = await chat();
    await other[Symbol.asyncDispose]();
    await expect(other.request()).rejects.toThrow(/closed/);
  });

  test("what is said, or asked, while a close writes is no less safe", async () => {
    const inner = memoryStore();
    let writes = 0;
    const asked: Promise<any>[] = [];
    const store: Store = {
      ...inner,
      async commit(...args) {
        const at = ++writes;
        await new Promise((resolve) => setTimeout(resolve, 2));
        if (at < 4) talk.append(user(`late ${at}`));
        if (at === 3) asked.push(talk.request({ countRequest: () => new Promise((resolve) => setTimeout(() => resolve(7), 5)) }));
        return inner.commit(...args);
      },
    };
    const talk = await chat({ store });
    const first = talk.append(user("a"));
    // Never finished, and on another branch: it is not waited for.
    talk.append(calling("c1"));
    talk.branch(first);
    await talk.close();
    const said = ["a", "late 1", "late 2", "late 3"];
    expect(texts(talk)).toEqual(said);
    expect(texts(await chat({ store: inner }))).toEqual(said);
    expect((await asked[0]).report.after.tokens).toBe(7);
  });
});

describe("the store fails", () => {
  test("no room: nothing is lost, and it goes on once there is", async () => {
    const inner = memoryStore();
    let full = true;
    const store = { ...inner, commit: (...args: Parameters<typeof inner.commit>) => (full ? Promise.reject(new QuotaError("full")) : inner.commit(...args)) };
    const talk = await chat({ store });
    talk.append(user("a"));
    await expect(talk.commit()).rejects.toThrow(QuotaError);
    await expect(talk.close()).rejects.toThrow(QuotaError);
    talk.append(assistant("b"));
    full = false;
    await talk.close();
    expect(texts(await chat({ store: inner }))).toEqual(["a", "b"]);
  });

  test("written, but nobody said so", async () => {
    const inner = memoryStore();
    let lose = true;
    const store = {
      ...inner,
      async commit(...args: Parameters<typeof inner.commit>) {
        const revision = await inner.commit(...args);
        if (lose) throw new Error("the line broke");
        return revision;
      },
    };
    const talk = await chat({ store });
    talk.append(user("a"));
    await expect(talk.commit()).rejects.toThrow("the line broke");
    lose = false;
    talk.append(assistant("b"));
    await talk.commit();
    expect((await inner.load("talk", "main"))!.nodes.map(({ message }) => message.content)).toEqual(["a", "b"]);
  });

  test("removed by another: a commit says so", async () => {
    const store = memoryStore();
    const talk = await chat({ store });
    talk.append(user("a"));
    await talk.commit();
    await store.remove("talk");
    talk.append(assistant("b"));
    await expect(talk.commit()).rejects.toMatchObject({ code: "conflict" });
    await talk.duplicate({ id: "kept" });
    expect(texts(await chat({ store, id: "kept" }))).toEqual(["a", "b"]);
  });

  test("nothing changed: nothing is written", async () => {
    const store = memoryStore();
    const talk = await chat({ store });
    await talk.commit();
    expect(await store.load("talk", "main")).toBeUndefined();
    talk.append(user("a"));
    await talk.commit();
    await talk.commit();
    expect((await store.load("talk", "main"))!.revision).toBe(1);
    talk.meta.title = "later";
    await talk.commit();
    expect(await store.load("talk", "main")).toMatchObject({ revision: 2, meta: { title: "later" } });
  });
});

test("pictures and bytes come back as they were", async () => {
  const store = memoryStore();
  const talk = await Conversation.open({ store, id: "p", format: "anthropic", model: "claude-sonnet-4-5" });
  const data = Buffer.from(Uint8Array.from({ length: 20_000 }, (_, at) => (at * 7919) >> 3)).toString("base64");
  const message = { role: "user", content: [{ type: "image", source: { type: "base64", media_type: "image/png", data } }, { type: "text", text: "look" }], raw: Uint8Array.of(1, 2, 3) };
  talk.append(message);
  await talk.commit();
  expect(JSON.stringify(await store.load("p", "main")).length).toBeLessThan(data.length);
  expect((await Conversation.open({ store, id: "p" })).messages()[0]!.message).toEqual(message);
});
