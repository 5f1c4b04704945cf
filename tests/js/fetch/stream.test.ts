/** Streams: only the first event is looked at, the rest passes as it comes; what was said and what it cost is put together on the way. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { withCompaction, type Answer } from "../../../pkg/fetch.js";
import { Events } from "../../../pkg/fetch/events.js";
import { anthropicHistory, chatHistory } from "../support/history.js";
import { chatReply, chatUrl, data, json, messagesUrl, named, post, stream, upstream } from "./upstream.js";

const chat = chatHistory(1);
const messages = anthropicHistory(1);
const chunk = (delta: object, more: object = {}): string => data({ id: "c", choices: [{ index: 0, delta, finish_reason: null, ...more }] });

/** A stream that the test fills by hand, and counts how often more was asked for. */
function byHand(): { response: Response; send(text: string): void; close(): void; fail(error: Error): void; pulls(): number; cancelled(): unknown } {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let pulls = 0;
  let cancelled: unknown;
  const body = new ReadableStream<Uint8Array>(
    { start: (own) => void (controller = own), pull: () => void pulls++, cancel: (reason) => void (cancelled = reason) },
    { highWaterMark: 0 },
  );
  return {
    response: new Response(body, { headers: { "content-type": "text/event-stream; charset=utf-8", "x-request-id": "r1" } }),
    send: (text) => controller.enqueue(new TextEncoder().encode(text)),
    close: () => controller.close(),
    fail: (error) => controller.error(error),
    pulls: () => pulls,
    cancelled: () => cancelled,
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));
const text = (value: Uint8Array | undefined): string => new TextDecoder().decode(value);

describe("passing on", () => {
  test("the answer is there with its first event, and each byte as it comes", async () => {
    const hand = byHand();
    let answer: Response | undefined;
    const asked = withCompaction(async (..._: unknown[]) => hand.response)(chatUrl, post(chat)).then((response) => (answer = response));
    await settled();
    hand.send(": waiting\n\n");
    hand.send('data: {"choices":[{"index":0,"del');
    await settled();
    expect(answer).toBeUndefined();
    hand.send('ta":{"content":"He"}}]}\n\n');
    await asked;
    expect([answer!.status, answer!.headers.get("x-request-id"), answer!.headers.get("content-type")]).toEqual([200, "r1", "text/event-stream; charset=utf-8"]);
    const reader = answer!.body!.getReader();
    expect(text((await reader.read()).value)).toBe(": waiting\n\n");
    expect(text((await reader.read()).value)).toBe('data: {"choices":[{"index":0,"del');
    expect(text((await reader.read()).value)).toBe('ta":{"content":"He"}}]}\n\n');
    // Half an event goes on, too: nothing after the first is held.
    hand.send("data: {");
    expect(text((await reader.read()).value)).toBe("data: {");
  });

  test("nothing is read before it is asked for", async () => {
    const hand = byHand();
    const asked = withCompaction(async (..._: unknown[]) => hand.response)(chatUrl, post(chat));
    hand.send(chunk({ content: "a" }));
    const answer = await asked;
    await settled();
    const before = hand.pulls();
    await settled();
    expect(hand.pulls()).toBe(before);
    const reader = answer.body!.getReader();
    await reader.read();
    await settled();
    expect(hand.pulls()).toBe(before);
    const second = reader.read();
    await settled();
    expect(hand.pulls()).toBe(before + 1);
    hand.send(chunk({ content: "b" }));
    expect(text((await second).value)).toContain('"b"');
  });

  test("who gives up is heard, who breaks off as well", async () => {
    const answers: Answer[] = [];
    const options = { onAnswer: (answer: Answer) => void answers.push(answer) };
    const hand = byHand();
    hand.send(chunk({ content: "a" }));
    const answer = await withCompaction(async (..._: unknown[]) => hand.response, options)(chatUrl, post(chat));
    await answer.body!.cancel("enough");
    expect(hand.cancelled()).toBe("enough");

    const broken = byHand();
    broken.send(chunk({ content: "a" }));
    const second = await withCompaction(async (..._: unknown[]) => broken.response, options)(chatUrl, post(chat));
    const reader = second.body!.getReader();
    await reader.read();
    const fault = new Error("reset");
    broken.fail(fault);
    await expect(reader.read()).rejects.toBe(fault);
    expect(answers).toEqual([]);
  });

  test("bytes are the same, however they are cut", async () => {
    const whole = [": hi\r\n\r\n", chunk({ content: "grüß 😀" }).replaceAll("\n", "\r\n"), chunk({}, { finish_reason: "stop" }), "data: [DONE]"].join("");
    const bytes = new TextEncoder().encode(whole);
    for (const size of [1, 2, 3, 7, 1000]) {
      const cut = new ReadableStream({
        start(controller) {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size));
          controller.close();
        },
      });
      let message: any;
      const response = new Response(cut, { headers: { "content-type": "text/event-stream" } });
      const answer = await withCompaction(async (..._: unknown[]) => response, { onAnswer: (answer) => (message = answer.message) })(chatUrl, post(chat));
      expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
      expect(message).toEqual({ role: "assistant", content: "grüß 😀" });
    }
  });

  test("the first byte of a real stream is not late", async () => {
    let end = (): void => {};
    const server = createServer((request, response) => {
      request.resume().on("end", () => {
        response.setHeader("content-type", "text/event-stream").write(chunk({ content: "a" }));
        end = () => void response.end(data("[DONE]"));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`;
    try {
      const answer = await withCompaction(fetch)(url, post(chat));
      const reader = answer.body!.getReader();
      const decoder = new TextDecoder();
      // The rest is sent only when this was read: whoever waits for more waits for ever.
      expect(decoder.decode((await reader.read()).value)).toBe(chunk({ content: "a" }));
      end();
      expect(decoder.decode((await reader.read()).value)).toBe(data("[DONE]"));
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test("a body that cannot be read in pieces is left alone", async () => {
    // As node-fetch has it: of two copies none goes on while the other is not read.
    const body = { pipe() {} };
    const clone = (): object => ({ text: () => new Promise(() => {}) });
    for (const type of ["text/event-stream", "application/json"]) {
      const odd = { ok: true, status: 200, headers: new Headers({ "content-type": type }), body, clone };
      expect(await withCompaction(async (..._: unknown[]) => odd)(chatUrl, post(chat))).toBe(odd);
    }
  });

  test("one that its host calls JSON is one all the same, for who asked for it", async () => {
    const headers = { "content-type": "application/json" };
    const answers: unknown[] = [];
    const wrapped = (response: Response) => withCompaction(async (..._: unknown[]) => response, { onAnswer: ({ message }) => void answers.push(message) });
    const request = post({ ...chat, stream: true });
    let controller!: ReadableStreamDefaultController;
    const body = new ReadableStream({ start: (own) => void (controller = own) });
    controller.enqueue(new TextEncoder().encode(chunk({ content: "a" })));
    const reader = (await wrapped(new Response(body, { headers }))(chatUrl, request)).body!.getReader();
    // The rest is sent only when this was read: whoever waits for more waits for ever.
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(chunk({ content: "a" }));
    controller.enqueue(new TextEncoder().encode(`${data({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}${data("[DONE]")}`));
    controller.close();
    while (!(await reader.read()).done);
    const whole = json(chatReply("b"));
    expect(await (await wrapped(whole)(chatUrl, request)).json()).toEqual(chatReply("b"));
    expect(answers).toEqual([{ role: "assistant", content: "a" }, { role: "assistant", content: "b" }]);
  });

  test("so is what a stub answers, and what was read before", async () => {
    const headers = { "content-type": "application/json" };
    const read = Response.json({});
    await read.text();
    for (const odd of [{ ok: true, status: 200, headers: new Headers(headers) }, { ok: true, status: 200, headers }, read]) {
      expect(await withCompaction(async (..._: unknown[]) => odd)(chatUrl, post(chat))).toBe(odd);
    }
  });

  test("of an endless first event only the beginning is held", async () => {
    const filler = new TextEncoder().encode("x".repeat(64 * 1024));
    let pulled = 0;
    const endless = new ReadableStream({ pull: (controller) => (pulled++, controller.enqueue(filler)) });
    const response = new Response(endless, { headers: { "content-type": "text/event-stream" } });
    const answer = await withCompaction(async (..._: unknown[]) => response)(chatUrl, post(chat));
    expect(answer.ok).toBe(true);
    expect(pulled).toBeLessThan(40);
    await answer.body!.cancel();
  });
});

describe("putting together", () => {
  async function heard(url: string, request: object, events: string[]): Promise<Answer[]> {
    const answers: Answer[] = [];
    const { fetch } = upstream(stream(events));
    const answer = await withCompaction(fetch, { onAnswer: (answer) => void answers.push(answer) })(url, post(request));
    expect(await answer.text()).toBe(events.join(""));
    return answers;
  }

  test("OpenAI: words, thought, calls side by side, usage in the last chunk", async () => {
    const call = (index: number, more: object): string => chunk({ tool_calls: [{ index, ...more }] });
    const usage = { prompt_tokens: 900, completion_tokens: 9, total_tokens: 909 };
    const answers = await heard(chatUrl, chat, [
      chunk({ role: "assistant", content: "" }),
      chunk({ reasoning_content: "Let me " }), chunk({ reasoning_content: "see." }),
      chunk({ content: "Loo" }), chunk({ content: "king." }),
      call(0, { id: "call_1", type: "function", function: { name: "read", arguments: "" } }),
      call(1, { id: "call_2", type: "function", function: { name: "list", arguments: '{"a"' } }),
      call(0, { function: { arguments: '{"path":' } }), call(1, { function: { arguments: ":1}" } }), call(0, { function: { arguments: '"x"}' } }),
      data({ choices: [{ index: 1, delta: { content: "another choice" } }] }),
      chunk({}, { finish_reason: "tool_calls" }),
      data({ choices: [], usage }),
      data("[DONE]"),
    ]);
    expect(answers).toEqual([{
      message: {
        role: "assistant", content: "Looking.", reasoning_content: "Let me see.",
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "read", arguments: '{"path":"x"}' } },
          { id: "call_2", type: "function", function: { name: "list", arguments: '{"a":1}' } },
        ],
      },
      usage, request: chat,
    }]);
  });

  test("Anthropic: thinking with its signature, words, calls, usage from both ends", async () => {
    const block = (index: number, content_block: object): string => named({ type: "content_block_start", index, content_block });
    const delta = (index: number, delta: object): string => named({ type: "content_block_delta", index, delta });
    const stop = (index: number): string => named({ type: "content_block_stop", index });
    const answers = await heard(messagesUrl, messages, [
      named({ type: "message_start", message: { id: "m", role: "assistant", content: [], usage: { input_tokens: 10, cache_read_input_tokens: 890, output_tokens: 1 } } }),
      block(0, { type: "thinking", thinking: "", signature: "" }), named({ type: "ping" }),
      delta(0, { type: "thinking_delta", thinking: "Let me " }), delta(0, { type: "thinking_delta", thinking: "see." }), delta(0, { type: "signature_delta", signature: "c2ln" }), stop(0),
      block(1, { type: "text", text: "" }), delta(1, { type: "text_delta", text: "Look" }), delta(1, { type: "text_delta", text: "ing." }),
      delta(1, { type: "citations_delta", citation: { cited_text: "x" } }), stop(1),
      block(2, { type: "tool_use", id: "toolu_1", name: "read", input: {} }), delta(2, { type: "input_json_delta", partial_json: "" }),
      delta(2, { type: "input_json_delta", partial_json: '{"path":' }), delta(2, { type: "input_json_delta", partial_json: '"x"}' }), stop(2),
      block(3, { type: "tool_use", id: "toolu_2", name: "list", input: {} }), stop(3),
      named({ type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 42, input_tokens: null } }),
      named({ type: "message_stop" }),
    ]);
    expect(answers).toEqual([{
      message: {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Let me see.", signature: "c2ln" },
          { type: "text", text: "Looking.", citations: [{ cited_text: "x" }] },
          { type: "tool_use", id: "toolu_1", name: "read", input: { path: "x" } },
          { type: "tool_use", id: "toolu_2", name: "list", input: {} },
        ],
      },
      usage: { input_tokens: 10, cache_read_input_tokens: 890, output_tokens: 42 }, request: messages,
    }]);
  });

  test.each<[string, string[]]>([
    ["no end", [chunk({ content: "a" })]],
    ["an error in the middle", [chunk({ content: "a" }), data({ error: { message: "overloaded" } }), chunk({}, { finish_reason: "stop" })]],
    ["nothing that is known", [data({ hello: 1 }), data("no JSON"), data("null"), data("[1]"), "event: x\n\n"]],
    ["odd shapes", [data({ choices: 7 }), data({ choices: [null, 1, { delta: 5 }, { delta: { tool_calls: [null, { index: 0 }, { index: 0, function: 3 }] } }] })]],
  ])("%s is no answer", async (_, events) => expect(await heard(chatUrl, chat, events)).toEqual([]));

  test.each<[string, string[]]>([
    ["an error in the middle", [named({ type: "message_start", message: {} }), named({ type: "error", error: { type: "overloaded_error" } }), named({ type: "message_stop" })]],
    ["odd shapes", [named({ type: "content_block_start", index: 1e9 }), named({ type: "content_block_delta", index: {}, delta: null }), named({ type: "content_block_stop" })]],
  ])("Anthropic: %s is no answer", async (_, events) => expect(await heard(messagesUrl, messages, events)).toEqual([]));

  test("what it listens with throws, and the answer is whole all the same", async () => {
    const { fetch } = upstream(stream([chunk({ content: "a" }, { finish_reason: "stop" }), data("[DONE]")]));
    const options = { onAnswer: () => { throw new Error("mine"); } };
    expect(await (await withCompaction(fetch, options)(chatUrl, post(chat))).text()).toContain("[DONE]");
  });
});

describe("events", () => {
  const all = (parts: string[]): object[] => {
    const events = new Events();
    const encoder = new TextEncoder();
    return [...parts.flatMap((part) => events.push(encoder.encode(part))), ...events.end()];
  };
  test.each<[string, string[], object[]]>([
    ["several lines", ["data: a\ndata: b\n\n"], [{ event: "", data: "a\nb" }]],
    ["no space", ["data:a\n\n"], [{ event: "", data: "a" }]],
    ["names, comments, other fields", [": c\nid: 7\nevent: x\nretry: 1\ndata: a\n\n"], [{ event: "x", data: "a" }]],
    ["a name that holds for one event only", ["event: x\ndata: a\n\ndata: b\n\n"], [{ event: "x", data: "a" }, { event: "", data: "b" }]],
    ["a line end in two parts", ["data: a\r", "\n\r", "\ndata: b\r\n\r\n"], [{ event: "", data: "a" }, { event: "", data: "b" }]],
    ["no end", ["data: a\n\nda", "ta: b"], [{ event: "", data: "a" }, { event: "", data: "b" }]],
    ["no data", ["event: ping\n\n\n\n"], []],
  ])("%s", (_, parts, expected) => expect(all(parts)).toEqual(expected));

  test("a long line in many parts costs what it is long", () => {
    const events = new Events();
    const part = new Uint8Array(1024).fill(120);
    const start = performance.now();
    for (let i = 0; i < 20_000; i++) events.push(part); // beyond what is kept
    expect(performance.now() - start).toBeLessThan(2000);
    expect(events.push(new TextEncoder().encode("\n\ndata: a\n\n"))).toEqual([{ event: "", data: "a" }]);
  });
});
