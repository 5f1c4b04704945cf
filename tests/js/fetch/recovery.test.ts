/** After an overflow: what is changed, and what is learnt. */
import { describe, expect, test } from "vitest";
import { check, measure, type Report } from "../../../pkg/entry/node.js";
import { withCompaction, type FetchOptions } from "../../../pkg/fetch.js";
import { anthropicHistory, chatHistory } from "../support/history.js";
import {
  anthropicRefusal, anthropicReply, anthropicTooLong, chatRefusal, chatReply, chatTooLong, chatUrl, data, json, messagesUrl, named, picture, post, stream, upstream, type Got,
} from "./upstream.js";

const chat = chatHistory(60);
const messages = anthropicHistory(60);
const anthropicStreamError = (message: string): Response => stream([named({ type: "error", error: { type: "invalid_request_error", message } })]);
const tokens = async (body: any): Promise<number> => (await measure(body)).estimated;

/** Refuses what is larger than its window, in its own words, counting a token for so many bytes. */
function host(window: number, refuse: (limit: number, actual: number) => Response, bytesPerToken = 3.5): (got: Got) => Response {
  return ({ text, body, url }) => {
    const input = Math.round(text.length / bytesPerToken);
    if (input + (body.max_completion_tokens ?? body.max_tokens ?? 0) > window) return refuse(window, input);
    const usage = url.endsWith("messages") ? { input_tokens: input, output_tokens: 2 } : { prompt_tokens: input, completion_tokens: 2 };
    return json(url.endsWith("messages") ? anthropicReply("Yes.", usage) : chatReply("Yes.", usage));
  };
}

const shapes: [string, string, any, (limit: number, actual: number) => Response][] = [
  ["OpenAI", chatUrl, chat, chatTooLong],
  ["Anthropic", messagesUrl, messages, anthropicTooLong],
  ["OpenAI, as a first event", chatUrl, chat, (limit, actual) => stream([": hm\n\n", data({ error: { message: `maximum context length is ${limit} tokens. However, your messages resulted in ${actual} tokens.`, code: 400 } })])],
  ["Anthropic, as a first event", messagesUrl, messages, (limit, actual) => anthropicStreamError(`prompt is too long: ${actual} tokens > ${limit} maximum`)],
  ["in an answer that succeeds", chatUrl, chat, (limit) => json({ error: { code: 400, message: `This endpoint's maximum context length is ${limit} tokens.` } })],
  ["as a fault of the server's", chatUrl, chat, () => json({ error: { message: "Context size has been exceeded." } }, 500)],
  ["without figures", chatUrl, chat, () => chatRefusal("Your input exceeds the context window of this model.")],
  ["without a word", chatUrl, chat, () => new Response(null, { status: 400 })],
];

describe.each(shapes)("tokens: %s", (_, url, request, refuse) => {
  test("sent again, smaller, within two recoveries; and what comes after is right at once", async () => {
    const reports: Report[] = [];
    const { fetch, got } = upstream(host(12_000, refuse));
    const wrapped = withCompaction(fetch, { model: { id: request.model, window: 24_000 }, rungs: ["elide", "window"], onCompact: (report) => void reports.push(report) });
    const answer = await wrapped(url, post(request));
    expect([answer.status, got.length <= 3, got.length > 1]).toEqual([200, true, true]);
    expect(JSON.stringify(await answer.json())).toContain("Yes.");
    const sizes = await Promise.all(got.map(({ body }) => tokens(body)));
    sizes.slice(1).forEach((size, at) => expect(size).toBeLessThan(sizes[at]!));
    for (const { body } of got) expect(await check(body)).toEqual([]);
    expect(got.at(-1)!.body.messages.at(-1)).toEqual(request.messages.at(-1));
    expect(reports.at(-1)!.fits).toBe(true);

    const before = got.length;
    const longer = { ...request, messages: [...request.messages, { role: "assistant", content: "Yes." }, { role: "user", content: "And then?" }] };
    expect((await wrapped(url, post(longer))).status).toBe(200);
    expect(got.length).toBe(before + 1);
  });
});

test("an estimate that is half of the truth, on a history that is long already", async () => {
  const { fetch, got } = upstream(host(16_000, chatTooLong));
  const countTokens = (text: string): number => Math.round(text.length / 7);
  expect((await withCompaction(fetch, { model: { id: "gpt-4o", window: 16_000 }, countTokens })(chatUrl, post(chat))).status).toBe(200);
  expect(got.length).toBeLessThanOrEqual(3);
});

test("without figures a second refusal costs half", async () => {
  const silent = chatRefusal("Your input exceeds the context window of this model.");
  const { fetch, got } = upstream(silent, silent, json(chatReply()));
  expect((await withCompaction(fetch, { model: { id: "gpt-4o", window: 64_000 }, rungs: ["window"] })(chatUrl, post(chat))).status).toBe(200);
  const [, second, third] = await Promise.all(got.map(({ body }) => tokens(body)));
  expect(third).toBeLessThan(second! / 2);
});

test("a refusal that is recovered from is given up: its connection is free", async () => {
  let cancelled = 0;
  // Its end never comes; only its beginning is read.
  const words = new TextEncoder().encode(`{"error":{"message":"prompt is too long: 13000 tokens > 12000 maximum"}${" ".repeat(70_000)}`);
  const refusal = (): Response => new Response(new ReadableStream({ start: (body) => body.enqueue(words), cancel: () => void cancelled++ }), { status: 400, headers: { "content-type": "text/event-stream" } });
  const { fetch } = upstream(refusal, () => stream([named({ type: "error", error: { message: "prompt is too long: 13000 tokens > 12000 maximum" } })]), json(anthropicReply()));
  expect((await withCompaction(fetch)(messagesUrl, post(messages))).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve));
  expect(cancelled).toBe(1);
});

test("a model that nobody knows: its window is learnt from the refusal", async () => {
  const { fetch, got } = upstream(host(8000, chatTooLong));
  const wrapped = withCompaction(fetch);
  const unknown = { ...chat, model: "no-such-model-9000" };
  expect((await wrapped(chatUrl, post(unknown))).status).toBe(200);
  expect(got.length).toBe(2);
  expect((await wrapped(chatUrl, post(unknown))).status).toBe(200);
  expect(got.length).toBe(3);
});

test("a window that nobody named is guessed in the tokens of its day", async () => {
  const silent = (): Response => chatRefusal("Your input exceeds the context window of this model.");
  // A token is half of what it is taken for: the first answer tells.
  const { fetch, got } = upstream(host(24_000, silent, 1.75));
  const wrapped = withCompaction(fetch, { model: { id: "gpt-4o", window: 64_000 } });
  for (const request of [chatHistory(3), chat, chat]) expect((await wrapped(chatUrl, post(request))).status).toBe(200);
  const sizes = await Promise.all(got.map(({ body }) => tokens(body)));
  const refused = got.findIndex(({ text }) => text.length / 1.75 > 22_000);
  expect([refused, got.length]).toEqual([1, 4]);
  expect(sizes[3]).toBeLessThan(sizes[1]!);
});

test("a window that was learnt larger than the known one is used; a smaller wish of the caller's stands", async () => {
  const { fetch, got } = upstream(chatTooLong(100_000, 110_000), json(chatReply()));
  const sizes = async (window?: number): Promise<number[]> => {
    got.length = 0;
    const wrapped = withCompaction(fetch, window ? { model: { id: "gpt-4", window } } : {});
    const request = { ...chatHistory(30), model: "gpt-4" };
    for (let time = 0; time < 2; time++) await wrapped(chatUrl, post(request));
    return Promise.all(got.map(({ body }) => tokens(body)));
  };
  const [first, , later] = await sizes();
  expect(later).toBeGreaterThan(first!);
  const wished = await sizes(6000);
  for (const size of wished) expect(size).toBeLessThan(6000);
});

test("what was learnt refuses no request by itself: it may hold no longer", async () => {
  const { fetch, got } = upstream(chatTooLong(3000, 20_000), json(chatReply()));
  const wrapped = withCompaction(fetch);
  await wrapped(chatUrl, post(chatHistory(20)));
  const one = { model: "gpt-4o", messages: [{ role: "user", content: "word ".repeat(6000) }] };
  expect((await wrapped(chatUrl, post(one))).status).toBe(200);
  expect(got.at(-1)!.body).toEqual(one);
});

test("a refusal that is handed on was not in vain: the next request is right at once", async () => {
  const { fetch, got } = upstream(host(12_000, chatTooLong));
  const wrapped = withCompaction(fetch, { retries: 0 });
  expect((await wrapped(chatUrl, post(chat))).status).toBe(400);
  expect((await wrapped(chatUrl, post(chat))).status).toBe(200);
  expect(got).toHaveLength(2);
});

describe("output", () => {
  test("is lowered to what the provider leaves, and the history goes as it was", async () => {
    const refusal = anthropicRefusal("input length and `max_tokens` exceed context limit: 188059 + 20000 > 200000, decrease input length or `max_tokens` and try again");
    const { fetch, got } = upstream(refusal, json(anthropicReply()));
    const request = { ...anthropicHistory(3), max_tokens: 20_000 };
    await withCompaction(fetch, { model: { id: "claude-sonnet-4-5", window: 200_000 } })(messagesUrl, post(request));
    const { max_tokens, ...rest } = got[1]!.body;
    expect(max_tokens).toBeGreaterThan(11_000);
    expect(188_059 + max_tokens).toBeLessThanOrEqual(200_000);
    const { max_tokens: _, ...same } = request;
    expect(rest).toEqual(same);
  });

  // What is left beside the first is less than it thinks with, beside the second just as much: one more is wanted.
  test.each([["18059 + 4000 > 20000"], ["16953 + 4000 > 20000"]])("is more than what it thinks with, or the history is smaller: %s", async (figures) => {
    const { fetch, got } = upstream(anthropicRefusal(`input length and \`max_tokens\` exceed context limit: ${figures}`), json(anthropicReply()));
    const request = { ...messages, max_tokens: 4000, thinking: { type: "enabled", budget_tokens: 3000 } };
    await withCompaction(fetch, { model: { id: "claude-sonnet-4-5", window: 40_000 }, rungs: ["elide", "window"] })(messagesUrl, post(request));
    expect(got[1]!.body.max_tokens).toBe(4000);
    expect(got[1]!.text.length).toBeLessThan(got[0]!.text.length);
  });

  test.each([
    ["https://api.openai.com/v1/chat/completions", {}, "max_completion_tokens"],
    ["https://openrouter.example/api/v1/chat/completions", {}, "max_tokens"],
    ["https://api.openai.com/v1/chat/completions", { max_tokens: 30_000 }, "max_tokens"],
  ])("gets its name by the host or the request: %s, %j", async (url, more, key) => {
    const words = "This endpoint's maximum context length is 40000 tokens. However, you requested about 53000 tokens (21000 of text input, 32000 in the output).";
    const { fetch, got } = upstream(chatRefusal(words), json(chatReply()));
    const { max_completion_tokens: _, ...request } = { ...chatHistory(4), ...more };
    await withCompaction(fetch)(url, post(request));
    const { [key]: output, ...rest } = got[1]!.body;
    expect(output).toBeGreaterThan(15_000);
    expect(output).toBeLessThanOrEqual(19_000);
    const { [key]: _1, ...same } = request as any;
    expect(rest).toEqual(same);
  });
});

describe("bytes and pictures", () => {
  const words = "A step of the work, in words that stay. ".repeat(20);
  const seen = (count: number): any => ({
    model: "claude-sonnet-4-5", max_tokens: 1000,
    messages: [
      { role: "user", content: "Look at what I see." },
      ...Array.from({ length: count }, (_, at) => [
        { role: "assistant", content: `Show me ${at}.` },
        { role: "user", content: [{ type: "text", text: `${at}: ${words}` }, { type: "image", source: { type: "base64", media_type: "image/png", data: picture() } }] },
      ]).flat(),
    ],
  });
  const pictures = (body: any): number => JSON.stringify(body).split('"type":"image"').length - 1;
  const texts = (body: any): number => JSON.stringify(body).split(words).length - 1;

  test.each<[string, Response, number]>([
    ["413", anthropicRefusal("Request exceeds the maximum size", 413, "request_too_large"), 2],
    ["413 without a body", new Response(null, { status: 413 }), 2],
    ["a limit that is named", chatRefusal("Maximum request body size 100000 exceeded, actual body size 200000", null), 2],
    ["too many pictures", anthropicRefusal("messages: too many images and documents: 19 + 1 > 8"), 2],
    ["a picture too large", anthropicRefusal("messages.3.content.1.image.source.base64: image exceeds 5 MB maximum: 6096280 bytes > 5242880 bytes"), 2],
  ])("%s costs pictures and no word", async (_, refusal, times) => {
    const { fetch, got } = upstream(refusal, json(anthropicReply()));
    const wrapped = withCompaction(fetch, { summarize: () => Promise.reject(new Error("no summary is asked for")) });
    const request = seen(20);
    expect((await wrapped(messagesUrl, post(request))).status).toBe(200);
    expect(got.length).toBe(times);
    expect(pictures(got[1]!.body)).toBeGreaterThan(0);
    expect(pictures(got[1]!.body)).toBeLessThan(15);
    expect(texts(got[1]!.body)).toBe(20);
    // The next one is right at once.
    await wrapped(messagesUrl, post(seen(22)));
    expect([got.length, pictures(got[2]!.body) < 15, texts(got[2]!.body)]).toEqual([3, true, 22]);
  });

  test("a smaller limit of the caller's stands beside the one that was learnt", async () => {
    const { fetch, got } = upstream(anthropicRefusal("messages: too many images and documents: 19 + 1 > 8"), json(anthropicReply()));
    const wrapped = withCompaction(fetch, ({ body }) => (body.metadata ? { limits: { images: 4 } } : {}));
    await wrapped(messagesUrl, post(seen(20)));
    await wrapped(messagesUrl, post({ ...seen(20), metadata: { user_id: "thrifty" } }));
    expect(got).toHaveLength(3);
    expect(pictures(got[1]!.body)).toBeGreaterThan(4);
    expect(pictures(got[2]!.body)).toBeLessThanOrEqual(4);
  });

  test("what was compacted for its tokens is made smaller from there", async () => {
    const { fetch, got } = upstream(new Response(null, { status: 413 }), json(anthropicReply()));
    const reports: Report[] = [];
    const options: FetchOptions = { model: { id: "claude-sonnet-4-5", window: 24_000 }, rungs: ["elide", "images", "window"], images: { keep: 12 }, onCompact: (report) => void reports.push(report) };
    expect((await withCompaction(fetch, options)(messagesUrl, post(seen(60)))).status).toBe(200);
    const [first, second] = got.map(({ body }) => body);
    expect(texts(first)).toBeLessThan(60);
    expect(texts(second)).toBe(texts(first));
    expect(pictures(second)).toBeLessThan(pictures(first));
    expect(reports.at(-1)!.rungs.flatMap(({ rung, ran }) => (ran ? [rung] : []))).toEqual(["images"]);
  });

  test("words go only where no picture is left", async () => {
    const { fetch, got } = upstream(new Response(null, { status: 413 }), json(anthropicReply()));
    await withCompaction(fetch)(messagesUrl, post(anthropicHistory(20)));
    expect(got[1]!.text.length).toBeLessThan(got[0]!.text.length / 2);
    expect(await check(got[1]!.body)).toEqual([]);
  });

  test("no picture at all for who takes none", async () => {
    const refusal = chatRefusal("At most 0 image(s) may be provided in one request.");
    const { fetch, got } = upstream(refusal, json(chatReply()));
    const image = { type: "image_url", image_url: { url: `data:image/png;base64,${picture()}` } };
    const request = { model: "gpt-4o", messages: [{ role: "user", content: "Hi." }, { role: "assistant", content: "Hi." }, { role: "user", content: [{ type: "text", text: words }, image] }, { role: "assistant", content: "I see." }, { role: "user", content: "And now?" }] };
    expect((await withCompaction(fetch)(chatUrl, post(request))).status).toBe(200);
    expect([got[1]!.text.includes("image_url"), texts(got[1]!.body)]).toEqual([false, 1]);
    const wrapped = withCompaction(upstream(refusal, json(chatReply())).fetch);
    for (let time = 0; time < 2; time++) expect((await wrapped(chatUrl, post(request))).status).toBe(200);
  });
});

test("an answer of a repeated request is not the first one's: its key is not sent again", async () => {
  const { fetch, got } = upstream(chatTooLong(8000, 20_000), json(chatReply()));
  await withCompaction(fetch)(chatUrl, post(chat, { "idempotency-key": "once" }));
  expect(got.map(({ headers }) => headers.get("idempotency-key"))).toEqual(["once", null]);
});

test("calibration follows usage, whole or streamed", async () => {
  const usage = { prompt_tokens: 0, completion_tokens: 1 };
  const request = chatHistory(5);
  usage.prompt_tokens = Math.round((await tokens(request)) * 1.5);
  const streamed = (): Response => stream([data({ choices: [{ index: 0, delta: { content: "a" }, finish_reason: "stop" }] }), data({ choices: [], usage }), data("[DONE]")]);
  const options: FetchOptions = { model: { id: "gpt-4o", window: 8000 } };
  for (const reply of [(): Response => json(chatReply("Yes.", usage)), streamed]) {
    const { fetch, got } = upstream(reply);
    const wrapped = withCompaction(fetch, options);
    for (let time = 0; time < 2; time++) await (await wrapped(chatUrl, post(request))).text();
    // It fitted by the estimate, not by what it cost.
    expect(await Promise.all(got.map(({ body }) => tokens(body)))).toEqual([await tokens(request), expect.toSatisfy((size: number) => size * 1.5 < 0.8 * 8000)]);
  }
});
