/** What SDKs throw, servers answer and streams say; and that nothing odd makes it throw or hang. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { ApiError, GoogleGenAI } from "@google/genai";
import { APICallError, generateText, RetryError } from "ai";
import OpenAI from "openai";
import { describe, expect, test, vi } from "vitest";
import { overflow } from "../../pkg/entry/node.js";

const json = { "content-type": "application/json" };
const answer = (status: number, body: unknown, headers: Record<string, string> = json): Response =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });

const tooLong = "prompt is too long: 213462 tokens > 200000 maximum";
const anthropicBody = (type: string, message: string): object => ({ type: "error", error: { type, message }, request_id: "req_1" });
const openaiBody = {
  error: {
    message: "This model's maximum context length is 128000 tokens. However, your messages resulted in 131402 tokens.",
    type: "invalid_request_error",
    param: "messages",
    code: "context_length_exceeded",
  },
};
const rateBody = { error: { message: "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Requested 9000.", type: "tokens", code: "rate_limit_exceeded" } };

/** What the OpenAI SDK throws at such an answer. */
function openai(response: Response): Promise<unknown> {
  const client = new OpenAI({ apiKey: "none", maxRetries: 0, fetch: async () => response });
  return thrown(client.chat.completions.create({ model: "gpt-4o", messages: [{ role: "user", content: tooLong }] }));
}

function anthropic(response: Response): Promise<unknown> {
  const client = new Anthropic({ apiKey: "none", maxRetries: 0, fetch: async () => response });
  return thrown(client.messages.create({ model: "claude-opus-4-8", max_tokens: 9, messages: [{ role: "user", content: "hi" }] }));
}

/** Google's client has no `fetch` of its own. */
async function google(response: Response): Promise<unknown> {
  vi.stubGlobal("fetch", async () => response);
  try {
    return await thrown(new GoogleGenAI({ apiKey: "none" }).models.generateContent({ model: "gemini-3-pro", contents: "hi" }));
  } finally {
    vi.unstubAllGlobals();
  }
}

/** The AI SDK over a provider; it tries again as often as it is told. */
function ai(provider: "openai" | "anthropic", responses: Response[], maxRetries = 0): Promise<unknown> {
  const fetch = async (): Promise<Response> => responses.shift()!;
  const model = provider === "openai" ? createOpenAI({ apiKey: "none", fetch }).chat("gpt-4o") : createAnthropic({ apiKey: "none", fetch })("claude-opus-4-8");
  return thrown(generateText({ model, maxRetries, prompt: tooLong }));
}

const thrown = (promise: PromiseLike<unknown>): Promise<unknown> => Promise.resolve(promise).then(() => expect.fail("it did not throw"), (error: unknown) => error);

describe("errors of SDKs", () => {
  test("OpenAI", async () => {
    const error = await openai(answer(400, openaiBody));
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(await overflow(error)).toEqual({ kind: "tokens", limit: 128000, actual: 131402, message: openaiBody.error.message });

    expect(await overflow(await openai(answer(429, rateBody)))).toBeNull();
    expect(await overflow(await openai(answer(400, { error: { message: "Invalid schema for function 'read'" } })))).toBeNull();
    expect(await overflow(await openai(answer(413, "", {})))).toMatchObject({ kind: "bytes" });
    expect(await overflow(await openai(answer(413, "<html><h1>413 Request Entity Too Large</h1></html>", {})))).toMatchObject({ kind: "bytes" });
    expect(await overflow(await openai(answer(500, "oops", {})))).toBeNull();
  });

  test("OpenAI, within a stream", async () => {
    const events = `data: {"choices":[{"index":0,"delta":{"content":"${tooLong}"}}]}\n\ndata: ${JSON.stringify(openaiBody)}\n\n`;
    const client = new OpenAI({ apiKey: "none", maxRetries: 0, fetch: async () => answer(200, events, { "content-type": "text/event-stream" }) });
    const stream = await client.chat.completions.create({ model: "gpt-4o", stream: true, messages: [{ role: "user", content: "hi" }] });
    const error = await thrown((async () => { for await (const _ of stream); })());
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(await overflow(error)).toMatchObject({ kind: "tokens", limit: 128000 });
  });

  test("Anthropic", async () => {
    const error = await anthropic(answer(400, anthropicBody("invalid_request_error", tooLong)));
    expect(error).toBeInstanceOf(Anthropic.BadRequestError);
    expect(await overflow(error)).toEqual({ kind: "tokens", limit: 200000, actual: 213462, provider: "anthropic", message: tooLong });

    const output = "input length and `max_tokens` exceed context limit: 188059 + 20000 > 200000, decrease input length or `max_tokens` and try again";
    expect(await overflow(await anthropic(answer(400, anthropicBody("invalid_request_error", output))))).toEqual({
      kind: "output", limit: 200000, actual: 188059, provider: "anthropic", message: output,
    });
    const large = await anthropic(answer(413, anthropicBody("request_too_large", "Request exceeds the maximum size")));
    expect(await overflow(large)).toEqual({ kind: "bytes", message: "Request exceeds the maximum size" });
    expect(await overflow(await anthropic(answer(429, anthropicBody("rate_limit_error", "Number of input tokens has exceeded your per-minute rate limit"))))).toBeNull();
    expect(await overflow(await anthropic(answer(529, anthropicBody("overloaded_error", "Overloaded"))))).toBeNull();
  });

  test("a failed connection", async () => {
    const client = new OpenAI({ apiKey: "none", maxRetries: 0, fetch: async () => Promise.reject(new TypeError("fetch failed")) });
    expect(await overflow(await thrown(client.models.list()))).toBeNull();
  });

  test("the AI SDK's, with the conversation it was about", async () => {
    const failed = (responseBody: string, statusCode = 400): Error =>
      Object.assign(new Error("Bad Request"), {
        name: "AI_APICallError", statusCode, responseBody, isRetryable: false,
        requestBodyValues: { messages: Array.from({ length: 5000 }, () => ({ role: "user", content: tooLong })) },
      });
    expect(await overflow(failed(JSON.stringify(openaiBody)))).toMatchObject({ kind: "tokens", limit: 128000 });
    expect(await overflow(failed('{"error":{"message":"Invalid schema"}}'))).toBeNull();
    const last = failed(JSON.stringify(openaiBody));
    const retried = Object.assign(new Error("Failed after 2 attempts"), { errors: [failed(JSON.stringify(rateBody), 429), last], lastError: last });
    expect(await overflow(retried)).toMatchObject({ kind: "tokens" });
  });

  test("Google's", async () => {
    const refused = (code: number, status: string, message: string): Response => answer(code, { error: { code, message, status } });
    const error = await google(refused(400, "INVALID_ARGUMENT", "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)."));
    expect(error).toBeInstanceOf(ApiError);
    expect(await overflow(error)).toEqual({
      kind: "tokens", limit: 1048575, actual: 1196265, provider: "google",
      message: "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
    });
    expect(await overflow(await google(refused(400, "INVALID_ARGUMENT", "Request payload size exceeds the limit: 20971520 bytes.")))).toMatchObject({ kind: "bytes", limit: 20971520 });
    expect(await overflow(await google(refused(429, "RESOURCE_EXHAUSTED", "Quota exceeded for metric: input_token_count, limit: 250000")))).toBeNull();
    expect(await overflow(await google(refused(400, "INVALID_ARGUMENT", "Please ensure that function call turn comes immediately after a user turn")))).toBeNull();
    expect(await overflow(await google(answer(500, "oops", {})))).toBeNull();
  });

  test("the AI SDK's own", async () => {
    const error = await ai("openai", [answer(400, openaiBody)]);
    expect(APICallError.isInstance(error)).toBe(true);
    expect(await overflow(error)).toEqual({ kind: "tokens", limit: 128000, actual: 131402, message: openaiBody.error.message });
    expect(await overflow(await ai("anthropic", [answer(400, anthropicBody("invalid_request_error", tooLong))]))).toMatchObject({ kind: "tokens", provider: "anthropic" });
    expect(await overflow(await ai("openai", [answer(429, rateBody)]))).toBeNull();
    // The prompt holds the words of an overflow, and the error holds the prompt.
    expect(await overflow(await ai("openai", [answer(400, { error: { message: "Invalid schema" } })]))).toBeNull();
    const now = { ...json, "retry-after-ms": "1" };
    const retried = await ai("openai", [answer(429, rateBody, now), answer(400, openaiBody)], 1);
    expect(RetryError.isInstance(retried)).toBe(true);
    expect(await overflow(retried)).toMatchObject({ kind: "tokens", limit: 128000 });
    expect(await overflow(await ai("openai", [answer(429, rateBody, now), answer(429, rateBody, now)], 1))).toBeNull();
  });

  /** As providers say it, by the project's table of overflows; limit and actual where they are told. */
  const rows: [string, string, number?, number?][] = [
    ["Anthropic", tooLong, 200000, 213462],
    ["OpenAI", "Your input exceeds the context window of this model. Please adjust your input and try again."],
    ["OpenAI, of old", "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.", 8192, 9000],
    ["Gemini", "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).", 1048575, 1196265],
    ["Bedrock", "Input is too long for requested model."],
    ["xAI", "This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131072, 537812],
    ["Groq", "Please reduce the length of the messages or completion."],
    ["Mistral", "Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length", 32768, 65673],
    ["OpenRouter", "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens (42832 of text input).", 32768, 42832],
    ["Together", "The input (61709 tokens) is longer than the model's context length (40960 tokens).", 40960, 61709],
    ["llama.cpp", "the request exceeds the available context size, try increasing it"],
    ["LM Studio", "The number of tokens to keep from the initial prompt is greater than the context length"],
    ["Ollama", "prompt too long; exceeded max context length by 540451 tokens"],
    ["Copilot", "prompt token count of 146270 exceeds the limit of 128000", 128000, 146270],
    ["Kimi", "Your request exceeded model token limit: 262144 (requested: 269030)", 262144, 269030],
    ["MiniMax", "invalid params, context window exceeds limit (2013)"],
  ];
  test.each(rows)("%s through every SDK, as a Response, in a stream, as a text", async (_, message, limit, actual) => {
    const shapes = [{ error: { message, type: "invalid_request_error", code: null } }, anthropicBody("invalid_request_error", message), { error: { code: 400, message, status: "INVALID_ARGUMENT" } }] as const;
    const errors = await Promise.all([
      openai(answer(400, shapes[0])), anthropic(answer(400, shapes[1])),
      ai("openai", [answer(400, shapes[0])]), ai("anthropic", [answer(400, shapes[1])]),
    ]);
    const told = [...errors, await google(answer(400, shapes[2])), ...shapes.map((body) => answer(400, body)), ...shapes, `event: error\ndata: ${JSON.stringify(shapes[1])}\n\n`, message];
    for (const error of told) {
      const found = await overflow(error);
      expect(found).toMatchObject({ kind: "tokens" });
      expect([found?.limit, found?.actual]).toEqual([limit, actual]);
    }
  });

  test.each([
    "ThrottlingException: Too many tokens, please wait before trying again.",
    "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Requested 90000. The input or output tokens must be reduced in order to run successfully.",
    "Number of input tokens has exceeded your per-minute rate limit",
    "You exceeded your current quota, please check your plan and billing details.",
  ])("throttling is none, whatever its status: %s", async (message) => {
    for (const status of [400, 413, 429, 500]) {
      const body = { error: { message, type: "tokens" } };
      const errors = [await openai(answer(status, body)), await anthropic(answer(status, anthropicBody("rate_limit_error", message))), await ai("openai", [answer(status, body)]), await google(answer(status, { error: { code: status, message } })), answer(status, body), message];
      for (const error of errors) expect(await overflow(error)).toBeNull();
    }
  });

  test("axios, and an error around an error", async () => {
    const axios = Object.assign(new Error("Request failed with status code 413"), {
      name: "AxiosError", code: "ERR_BAD_REQUEST", status: 413, config: { data: tooLong }, response: { status: 413, statusText: "Payload Too Large", data: "" },
    });
    expect(await overflow(axios)).toMatchObject({ kind: "bytes" });
    expect(await overflow(new Error("The model did not answer", { cause: new Error("Stream broke", { cause: new Error(tooLong) }) }))).toMatchObject({ kind: "tokens", limit: 200000 });
    expect(await overflow(new AggregateError([new Error("first"), new Error(tooLong)], "All failed"))).toMatchObject({ kind: "tokens" });
  });

  test("Bedrock's, and its events", async () => {
    const refused = Object.assign(new Error("Input is too long for requested model."), { name: "ValidationException", $fault: "client", $metadata: { httpStatusCode: 400 } });
    expect(await overflow(refused)).toMatchObject({ kind: "tokens", provider: "bedrock" });
    expect(await overflow({ validationException: { message: "Input is too long for requested model." } })).toMatchObject({ kind: "tokens" });
    const slow = Object.assign(new Error("Too many tokens, please wait before trying again."), { name: "ThrottlingException", $metadata: { httpStatusCode: 429 } });
    expect(await overflow(slow)).toBeNull();
  });
});

describe("a Response", () => {
  test("is read from a clone", async () => {
    const response = answer(400, anthropicBody("invalid_request_error", tooLong));
    expect(await overflow(response)).toMatchObject({ kind: "tokens", limit: 200000 });
    expect(response.bodyUsed).toBe(false);
    expect(await response.json()).toMatchObject({ error: { message: tooLong } });
    // It has been read now, so only the status speaks.
    expect(await overflow(response)).toBeNull();
  });

  test("without a body, or with one that was read", async () => {
    expect(await overflow(new Response(null, { status: 413 }))).toMatchObject({ kind: "bytes" });
    expect(await overflow(new Response(null, { status: 400 }))).toBeNull();
    const read = answer(413, "");
    await read.text();
    expect(await overflow(read)).toMatchObject({ kind: "bytes" });
  });

  test("that succeeds is an overflow only when its JSON says so", async () => {
    expect(await overflow(answer(200, { error: { code: 400, message: "This endpoint's maximum context length is 32768 tokens. However, you requested about 42832 tokens" } }))).toMatchObject({
      kind: "tokens", limit: 32768, actual: 42832, provider: "openrouter",
    });
    expect(await overflow(answer(200, { choices: [{ message: { role: "assistant", content: tooLong }, finish_reason: "stop" }] }))).toBeNull();
    expect(await overflow(answer(200, tooLong, { "content-type": "text/plain" }))).toBeNull();
    const stream = new Response(new ReadableStream({ pull: () => new Promise(() => {}) }), { headers: { "content-type": "text/event-stream" } });
    expect(await overflow(stream)).toBeNull();
  });

  test("that an error carries", async () => {
    const response = answer(400, openaiBody);
    expect(await overflow(Object.assign(new Error("HTTPError"), { response }))).toMatchObject({ kind: "tokens", limit: 128000 });
    expect(await response.json()).toEqual(openaiBody);
  });

  test("of any size is read in part", async () => {
    const begin = new TextEncoder().encode(JSON.stringify(openaiBody).slice(0, -1));
    const filler = new Uint8Array(16 * 1024).fill(32);
    let pulled = 0;
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(pulled++ === 0 ? begin : filler) });
    expect(await overflow(new Response(endless, { status: 400, headers: json }))).toMatchObject({ kind: "tokens", limit: 128000 });
    expect(pulled).toBeLessThan(20);
  });

  test("that never comes to an end is given up", async () => {
    vi.useFakeTimers();
    try {
      const words = new TextEncoder().encode(tooLong);
      const stuck = new ReadableStream({ start: (controller) => controller.enqueue(words), pull: () => new Promise(() => {}) });
      const told = overflow(new Response(stuck, { status: 400 }));
      await vi.advanceTimersByTimeAsync(6000);
      expect(await told).toMatchObject({ kind: "tokens" });
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("events and texts", () => {
  test.each<[string, unknown]>([
    ["Anthropic's error event", { type: "error", error: { type: "invalid_request_error", message: tooLong } }],
    ["its stop reason", { type: "message_delta", delta: { stop_reason: "model_context_window_exceeded" }, usage: { output_tokens: 9 } }],
    ["OpenAI's failed response", { type: "response.failed", response: { status: "failed", error: { code: "context_length_exceeded", message: "Your input exceeds the context window of this model." } } }],
    ["OpenAI's error event", { type: "error", code: "context_length_exceeded", message: "Your input exceeds the context window of this model.", param: null }],
    ["Gemini's error within a list", [{ error: { code: 400, message: "The input token count (9) exceeds the maximum number of tokens allowed (8).", status: "INVALID_ARGUMENT" } }]],
    ["a status with a body as text", { status: 400, body: JSON.stringify(openaiBody) }],
    ["a status with a parsed body", { status: 400, body: openaiBody }],
    ["a stream as text", `event: message_start\ndata: {"type":"message_start"}\n\nevent: error\ndata: ${JSON.stringify(anthropicBody("invalid_request_error", tooLong))}\n\n`],
    ["JSON as text", JSON.stringify(anthropicBody("invalid_request_error", tooLong))],
    ["words around JSON", `Error: 400 ${JSON.stringify(openaiBody)}`],
    ["JSON whose fields nobody knows", '{"fault":{"faultstring":"prompt is too long: 9 tokens > 8 maximum"}}'],
    ["OpenRouter around another", { error: { message: "Provider returned error", code: 400, metadata: { raw: JSON.stringify(openaiBody), provider_name: "OpenAI" } } }],
  ])("%s", async (_, error) => expect(await overflow(error)).toMatchObject({ kind: "tokens" }));

  test.each<[string, unknown]>([
    ["nothing", undefined], ["null", null], ["an empty text", ""], ["a number", 413], ["a flag", false], ["a symbol", Symbol("413")], ["a function", () => tooLong],
    ["an empty object", {}], ["an empty list", []], ["a date", new Date(0)], ["bytes", new Uint8Array(9)], ["a bigint", 413n], ["a map", new Map([["message", tooLong]])],
    ["what the model wrote", `data: {"choices":[{"delta":{"content":"${tooLong}"}}]}\n\ndata: [DONE]\n\n`],
    ["a message of the conversation", { role: "user", content: tooLong }],
  ])("%s is none", async (_, error) => expect(await overflow(error)).toBeNull());
});

describe("hostile errors", () => {
  const trap = (): never => {
    throw new Error("not for you");
  };
  const circle: any = { message: "round", cause: { error: null } };
  circle.cause.error = circle;
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const endless: any = new Proxy({}, { get: (_, key) => (key === "status" ? 400 : new Proxy({}, { get: () => endless })) });
  const mirror: any = new Proxy({}, { get: () => new Proxy({}, { get: () => mirror }) });

  test.each<[string, unknown]>([
    ["getters that throw", Object.defineProperties({}, { message: { get: trap }, status: { get: trap }, response: { get: trap }, clone: { get: trap } })],
    ["a proxy that throws", new Proxy({}, { get: trap, has: trap, ownKeys: trap, getOwnPropertyDescriptor: trap })],
    ["a proxy that was revoked", revoked.proxy],
    ["a list that was revoked", { errors: revoked.proxy }],
    ["an endless object", endless],
    ["an object of mirrors", mirror],
    ["a circle", circle],
    ["a false Response", { status: 400, headers: {}, clone: () => "no" }],
    ["a Response whose clone throws", { status: 400, headers: {}, clone: trap }],
    ["a Response whose body throws", { status: 400, headers: {}, clone: () => ({ body: { getReader: trap } }) }],
    ["a long list", { errors: Array.from({ length: 1e6 }, () => ({ message: "no" })) }],
    ["a sparse list", { errors: new Array(2 ** 32 - 1) }],
    ["lone surrogates", { message: "\ud83d \udc00 prompt" }],
    ["numbers that are none", { status: Number.NaN, code: Infinity, n_ctx: -1 }],
    ["deep JSON", "[".repeat(400) + "]".repeat(400)],
    ["broken JSON", '{"error": '],
  ])("%s", async (_, error) => expect(await overflow(error)).toBeNull());

  test("are read past what throws", async () => {
    const error = Object.defineProperties(new Error(tooLong), { status: { get: trap }, cause: { get: trap } });
    expect(await overflow(error)).toMatchObject({ kind: "tokens", limit: 200000 });
    circle.cause.message = tooLong;
    expect(await overflow(circle)).toMatchObject({ kind: "tokens" });
  });

  test("of any size cost little", async () => {
    const started = performance.now();
    expect(await overflow(`${tooLong} ${"x".repeat(50_000_000)}`)).toMatchObject({ kind: "tokens" });
    expect(await overflow({ body: `{"error":{"message":"${"y".repeat(20_000_000)}"}}` })).toBeNull();
    expect(await overflow(new Error("z".repeat(50_000_000)))).toBeNull();
    expect(performance.now() - started).toBeLessThan(2000);
  });

  test("leave later calls none the worse", async () => {
    const deep: any = { message: tooLong };
    let inner = deep;
    for (let depth = 0; depth < 100_000; depth++) inner = inner.cause = {};
    expect(await overflow(deep)).toMatchObject({ kind: "tokens" });
    expect(await overflow(tooLong)).toEqual({ kind: "tokens", limit: 200000, actual: 213462, provider: "anthropic", message: tooLong });
  });
});
