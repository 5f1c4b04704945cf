/** Requests of a conversation, copies of it, and its commands. */
import { describe, expect, test } from "vitest";
import { Conversation, check, OpenTurnError, restoreElided, UnsupportedFormatError } from "../../../pkg/entry/node.js";
import { memoryStore } from "../../../pkg/stores/memory.js";
import { chatHistory, anthropicHistory } from "../support/history.js";
import { assistant, calling, chat, MODEL, user } from "./talk.js";

describe("requests", () => {
  test("the caller's own objects, compacted when due, and what was done is kept", async () => {
    const store = memoryStore();
    const { messages } = chatHistory(40);
    const talk = await chat({ store });
    talk.append(messages);
    const { body, report } = await talk.request();
    expect(report.fits).toBe(true);
    expect(report.records.length).toBeGreaterThan(0);
    expect(body.messages.at(-1)).toBe(messages.at(-1));
    expect(await check(body, { format: "openai-chat" })).toEqual([]);
    expect(talk.messages()).toHaveLength(messages.length);
    const markers = talk.timeline().filter(({ kind }) => kind === "compaction");
    expect(markers.length).toBeGreaterThan(0);
    expect(talk.timeline().some((entry) => entry.kind === "message" && !entry.inContext)).toBe(true);
    expect((await talk.request()).body).toEqual(body);

    await talk.commit();
    const stored = (await store.load("talk", "main"))!;
    expect(stored.records.map(({ id }) => id).sort()).toEqual(report.records.map(({ id }) => id).sort());
    const again = await chat({ store });
    expect((await again.request()).body).toEqual(body);
    await again.commit();
    expect((await store.load("talk", "main"))!.revision).toBe(stored.revision);

    const marker = markers[0] as { record: { id: string } };
    talk.uncompact(marker.record.id);
    expect(talk.timeline().filter(({ kind }) => kind === "compaction")).toHaveLength(markers.length - 1);
  });

  test.each([["openai-chat", chatHistory], ["anthropic", anthropicHistory]] as const)("words that were elided from a conversation of %s come back by their reference", async (format, history) => {
    const talk = await Conversation.open<any>({ store: memoryStore(), id: "talk", format, model: MODEL, rungs: ["elide"] });
    const { messages } = history(40, 10);
    talk.append(messages);
    const { report } = await talk.request({ force: true, onUnfit: "return" });
    const references = report.records.flatMap(({ items }) => items ?? []);
    expect(references.length).toBeGreaterThan(3);
    const words = await Promise.all(references.map((reference) => restoreElided(talk, reference)));
    expect(words).toEqual(await Promise.all(references.map((reference) => restoreElided(messages, reference))));
    expect(words.every((text) => text !== undefined && text !== "")).toBe(true);
    // Of what stands on another branch nothing is known.
    talk.branch(talk.messages()[0]!.id);
    expect(await restoreElided(talk, references[0]!)).toBeUndefined();
  });

  test("a long session goes on from what stood, and stays sendable", async () => {
    const store = memoryStore();
    let talk = await Conversation.open({ store, id: "talk", format: "anthropic", model: MODEL });
    const { messages } = anthropicHistory(60, 10);
    let steps = 0;
    for (const message of messages) {
      talk.append(message);
      if (message.role === "assistant") continue;
      const { body, report } = await talk.request<any>({ system: "You are careful." });
      expect(report.fits).toBe(true);
      expect(await check(body, { format: "anthropic" })).toEqual([]);
      expect(body.system).toBe("You are careful.");
      await talk.commit();
      if (++steps % 17 === 0) {
        const before = await talk.request({ system: "You are careful." });
        await talk.close();
        talk = await Conversation.open({ store, id: "talk", model: MODEL });
        expect((await talk.request({ system: "You are careful." })).body).toEqual(before.body);
      }
    }
    expect(talk.messages().map(({ message }) => message)).toEqual(messages);
  });

  test("instructions beside the messages of a chat come first among them", async () => {
    const talk = await chat({ model: "gpt-4o" });
    talk.append(user("a"));
    const { body } = await talk.request({ system: "Be kind.", tools: [] });
    expect(body).toEqual({ model: "gpt-4o", messages: [{ role: "system", content: "Be kind." }, user("a")], tools: [] });
    await expect(talk.request({ to: "anthropic" })).rejects.toThrow(UnsupportedFormatError);
    talk.configure({ system: "Be brief." });
    expect((await talk.request()).body.messages[0].content).toBe("Be brief.");
    expect((await talk.measure()).parts.text).toBeGreaterThan(0);
  });

  test("callbacks: an exact tokenizer, a provider's count, an abort", async () => {
    const talk = await chat({ model: "gpt-4o" });
    talk.append(user("hello there"));
    const counted: string[] = [];
    const sent: any[] = [];
    const options = {
      countTokens: (text: string) => (counted.push(text), text.length),
      countRequest: async (body: any) => (sent.push(body), 321),
    };
    const { report } = await talk.request(options);
    expect(counted).toEqual(["hello there"]);
    expect(sent).toEqual([{ model: "gpt-4o", messages: [user("hello there")] }]);
    expect(report.after.tokens).toBe(321);
    await expect(talk.request({ signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow("stop");
    expect((await talk.request()).report.fits).toBe(true);
  });

  test("several at once, and messages that come meanwhile", async () => {
    const talk = await chat();
    talk.append(user("a"));
    const asked = [talk.request(), talk.request({ countTokens: (text) => text.length }), talk.measure()];
    talk.append(assistant("b"));
    const [first, second] = (await Promise.all(asked)) as any[];
    expect(first.body.messages.length + second.body.messages.length).toBeGreaterThan(2);
    expect((await talk.request()).body.messages).toHaveLength(2);
  });

  test("nobody spoke yet: the gauge shows what there is, and a request is refused", async () => {
    const talk = await chat();
    const none = await talk.measure();
    expect(none).toMatchObject({ messages: 0, model: "mine", window: 8_000 });
    expect((await talk.measure({ system: "You are careful." } as any)).tokens).toBeGreaterThan(none.tokens);
    expect((await talk.command("/context")).text).toMatch(/^mine +\d+ of 8,000 tokens/);
    await expect(talk.request()).rejects.toMatchObject({ code: "invalid-history" });
  });

  test("what cannot fit says so, with what it became", async () => {
    const talk = await chat();
    talk.append(user("long ".repeat(20_000)));
    const error: any = await talk.request().catch((thrown: unknown) => thrown);
    expect(error.code).toBe("cannot-fit");
    expect(error.body.messages).toHaveLength(1);
    expect((await talk.measure()).tokens).toBeGreaterThan(8_000);
    expect((await talk.request({ onUnfit: "return" })).report.fits).toBe(false);
  });
});

describe("copies and commands", () => {
  test("duplicate", async () => {
    const store = memoryStore();
    const talk = await chat({ store });
    const { messages } = chatHistory(40);
    talk.append(messages);
    talk.checkpoint("here");
    talk.append(user("more"));
    talk.meta.title = "Long";
    const { body } = await talk.request();
    const copy = await talk.duplicate({ id: "copy" });
    expect(copy.messages().map(({ message }) => message)).toEqual(talk.messages().map(({ message }) => message));
    expect(copy.messages().some(({ id }) => talk.get(id))).toBe(false);
    expect(copy.meta.title).toBe("Long");
    expect(copy.checkpoints()).toHaveLength(1);
    expect((await copy.request()).body).toEqual(body);
    expect((await store.load("copy", "main"))!.nodes).toHaveLength(messages.length + 1);
    await expect(talk.duplicate({ id: "copy" })).rejects.toMatchObject({ code: "conflict" });
    expect((await store.load("copy", "main"))!.nodes).toHaveLength(messages.length + 1);
    const part = await talk.duplicate({ id: "part", at: talk.messages()[1]!.id });
    expect(part.messages()).toHaveLength(2);
    talk.append(calling("open"));
    await expect(talk.duplicate({ id: "torn" })).rejects.toThrow(OpenTurnError);
  });

  test("commands", async () => {
    const talk = await chat({ model: { id: "mine", window: 64_000 } });
    talk.append(chatHistory(40).messages);
    const context = await talk.command("/context");
    expect(context.command).toBe("context");
    expect(context.text).toMatch(/mine +[\d,]+ of 64,000 tokens/);
    expect((context.data as any).tokens).toBeGreaterThan(1000);
    const shaken = await talk.command("/shake");
    expect(shaken.text).toMatch(/→/);
    expect((shaken.data as any).rungs.map(({ rung }: any) => rung)).toEqual(["elide", "images"]);
    const compacted = await talk.command("  /COMPACT the total  ");
    expect((compacted.data as any).after.tokens).toBeLessThan((context.data as any).tokens);
    const tree = await talk.command("/tree");
    expect(tree.data).toEqual(talk.tree());
    expect(tree.text).toMatch(/^\* system: You are careful\.\n[^]*← tip/);
    expect((await talk.command("/help")).text).toContain("/compact [focus]");
    // What an earlier command gave up is not of this one's doing.
    const words = await chat();
    words.append(Array.from({ length: 30 }, (_, n) => (n % 2 ? assistant : user)("word ".repeat(100))));
    expect((await words.compact({ force: true, rungs: ["window"] })).after.messages).toBeLessThan(30);
    expect((await words.command("/shake")).text).toMatch(/^Nothing to give up: [\d,]+ tokens\.\n/);
    for (const line of ["/nonsense", "hello", "", "/", "/constructor", "/__proto__"]) {
      const { text, data } = await talk.command(line);
      expect(text).toContain("/compact [focus]");
      expect(data).toBeNull();
    }
  });
});
