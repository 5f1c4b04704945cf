/** When recovery is given up, and what is never recovered from: what the client is handed then. */
import { describe, expect, test } from "vitest";
import { measure, overflow, type Report } from "../../../pkg/entry/node.js";
import { withCompaction } from "../../../pkg/fetch.js";
import { anthropicHistory, chatHistory } from "../support/history.js";
import {
  anthropicReply, chatRefusal, chatReply, chatTooLong, chatUrl, json, messagesUrl, named, post, stream, upstream,
} from "./upstream.js";

const chat = chatHistory(60);
const messages = anthropicHistory(60);
const anthropicStreamError = (message: string): Response => stream([named({ type: "error", error: { type: "invalid_request_error", message } })]);
const tokens = async (body: any): Promise<number> => (await measure(body)).estimated;

describe("given up", () => {
  test("after so many recoveries the provider's own refusal is handed on", async () => {
    for (const retries of [0, 1, 2, 3]) {
      const { fetch, got } = upstream((asked) => chatTooLong(Math.floor(asked.text.length / 8), Math.floor(asked.text.length / 4)));
      const answer = await withCompaction(fetch, { retries })(chatUrl, post(chat));
      expect([answer.status, got.length]).toEqual([400, retries + 1]);
      expect(await answer.json()).toMatchObject({ error: { code: "context_length_exceeded", message: expect.stringMatching(/^This model's maximum/) } });
    }
  });

  test.each<[string, string, any, Response]>([
    ["in a stream", messagesUrl, messages, anthropicStreamError("prompt is too long: 13000 tokens > 12000 maximum")],
    ["by a fault of the server's", messagesUrl, messages, json({ error: { message: "prompt is too long" } }, 500)],
    ["without a word", messagesUrl, messages, new Response("", { status: 413 })],
  ])("what was told %s comes as a 400 in the provider's shape", async (_, url, request, refusal) => {
    const { fetch } = upstream(refusal);
    const answer = await withCompaction(fetch, { retries: 1 })(url, post(request));
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("x-should-retry")]).toEqual([400, "application/json", "false"]);
    expect(await answer.clone().json()).toMatchObject({ type: "error", error: { type: "invalid_request_error", message: expect.stringMatching(/prompt is too long/i) } });
    expect(await overflow(answer)).toMatchObject({ kind: "tokens" });
  });

  test("what cannot fit is named, and nothing is sent", async () => {
    const huge = { model: "gpt-4o", messages: [{ role: "user", content: "word ".repeat(30_000) }] };
    const reports: Report[] = [];
    const { fetch, got } = upstream(json(chatReply()));
    const answer = await withCompaction(fetch, { model: { id: "gpt-4o", window: 8000 }, onCompact: (report) => void reports.push(report) })(chatUrl, post(huge));
    expect([answer.status, got.length, reports.length, reports[0]?.fits]).toEqual([400, 0, 1, false]);
    const { error } = await answer.json();
    expect(error).toMatchObject({ type: "invalid_request_error", code: "context_length_exceeded" });
    expect(error.message).toMatch(/30,0\d\d|message/);
  });

  test("what cannot be made smaller is not sent again", async () => {
    const one = { model: "gpt-4o", messages: [{ role: "user", content: "word ".repeat(3000) }] };
    for (const [refusal, words] of [[chatTooLong(2000, 3005), /2,?000/], [chatRefusal("too many images in the message, max allowed is 16"), /too many images/]] as const) {
      const { fetch, got } = upstream(refusal);
      const answer = await withCompaction(fetch)(chatUrl, post(one));
      expect([answer.status, got.length]).toEqual([400, 1]);
      expect((await answer.json()).error.message).toMatch(words);
    }
  });

  test("a strategy that changes nothing changes nothing here, too", async () => {
    const { fetch, got } = upstream(chatTooLong(8000, 20_000));
    const answer = await withCompaction(fetch, { strategy: "accept", onUnfit: "return" })(chatUrl, post(chatHistory(20)));
    expect([answer.status, got.length]).toEqual([400, 1]);
  });
});

describe("other failures pass as they came", () => {
  test.each<[string, Response]>([
    ["a rate limit that speaks of tokens", json({ error: { message: "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Requested 90000.", type: "tokens", code: "rate_limit_exceeded" } }, 429)],
    ["throttling with status 400", json({ message: "ThrottlingException: Too many tokens, please wait before trying again." }, 400)],
    ["Groq's 413", chatRefusal("Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 9000", "rate_limit_exceeded", 413)],
    ["credits", json({ error: { message: "This request requires more credits, or fewer max_tokens. You requested up to 64000 tokens, but can only afford 4262." } }, 402)],
    ["a wrong key", json({ error: { message: "Incorrect API key provided" } }, 401)],
    ["a broken request", chatRefusal("Invalid schema for function 'read'", null)],
    ["overload", json({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, 529)],
    ["a gateway", new Response("<html>502</html>", { status: 502, headers: { "content-type": "text/html" } })],
    ["an empty 400 on a small request", new Response(null, { status: 400 })],
    ["an error in an answer that succeeds", json({ error: { message: "Provider returned error", code: 502 } })],
  ])("%s", async (_, refusal) => {
    let calls = 0;
    const answer = await withCompaction(async (..._: unknown[]) => (calls++, refusal))(chatUrl, post(chatHistory(2)));
    expect(answer).toBe(refusal);
    expect(calls).toBe(1);
    expect(answer.bodyUsed).toBe(false);
  });

  test.each<[string, string]>([
    ["an overloaded stream", named({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } })],
    ["a rate limit in a stream", named({ type: "error", error: { type: "rate_limit_error", message: "Number of input tokens has exceeded your per-minute rate limit" } })],
    ["words about overflows", named({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: '"error": prompt is too long: 9 tokens > 8 maximum' } })],
  ])("%s", async (_, event) => {
    const { fetch, got } = upstream(stream([event]));
    expect(await (await withCompaction(fetch)(messagesUrl, post(anthropicHistory(2)))).text()).toBe(event);
    expect(got).toHaveLength(1);
  });

  test("what fetch rejects with", async () => {
    const fault = new TypeError("fetch failed");
    await expect(withCompaction((..._: unknown[]): Promise<Response> => Promise.reject(fault))(chatUrl, post(chat))).rejects.toBe(fault);
  });

  test("without a look at what they say", async () => {
    for (const status of [401, 402, 403, 404, 408, 409, 429]) {
      const endless = new Response(new ReadableStream(), { status, headers: { "content-type": "application/json" } });
      const start = performance.now();
      expect(await withCompaction(async (..._: unknown[]) => endless)(chatUrl, post(chatHistory(2)))).toBe(endless);
      expect(performance.now() - start).toBeLessThan(1000);
    }
  });

  test("an answer that comes a line at a time", async () => {
    let controller!: ReadableStreamDefaultController;
    const lines = new Response(new ReadableStream({ start: (own) => void (controller = own) }), { headers: { "content-type": "application/x-ndjson" } });
    const answer = await withCompaction(async (..._: unknown[]) => lines)(chatUrl, post(chatHistory(2)));
    expect(answer).toBe(lines);
    controller.close();
  });

  test("an answer that breaks off", async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) });
    const response = new Response(broken, { headers: { "content-type": "application/json" } });
    const answer = await withCompaction(async (..._: unknown[]) => response)(chatUrl, post(chatHistory(2)));
    await expect(answer.json()).rejects.toThrow("reset");
  });
});

describe("answers that are none, since the window was full", () => {
  const model = { id: "gpt-4o", window: 24_000 };
  const cut = (usage: object, content: string | null): Response =>
    json({ choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "length" }], usage });

  test("are asked for again", async () => {
    const { fetch, got } = upstream(cut({ prompt_tokens: 24_000, completion_tokens: 0, total_tokens: 24_000 }, ""), json(chatReply()));
    const answer = await withCompaction(fetch, { model })(chatUrl, post(chat));
    expect((await answer.json()).choices[0].message.content).toBe("Yes.");
    expect(await tokens(got[1]!.body)).toBeLessThan(await tokens(got[0]!.body));
    const full = json({ ...anthropicReply(), content: [], stop_reason: "model_context_window_exceeded" });
    const other = upstream(full, json(anthropicReply()));
    await withCompaction(other.fetch, { model: { id: "claude-sonnet-4-5", window: 24_000 }, rungs: ["elide", "window"] })(messagesUrl, post(messages));
    expect(other.got).toHaveLength(2);
  });

  test.each<[string, Response]>([
    ["some words", cut({ prompt_tokens: 23_990, completion_tokens: 10, total_tokens: 24_000 }, "Some")],
    ["room that was left", cut({ prompt_tokens: 9000, completion_tokens: 0, total_tokens: 9000 }, "")],
  ])("but not with %s", async (_, response) => {
    const { fetch, got } = upstream(response);
    await withCompaction(fetch, { model })(chatUrl, post(chat));
    expect(got).toHaveLength(1);
  });
});
