/** Through the real SDKs, whose own retries are on: what they are told is said once. */
import Anthropic from "@anthropic-ai/sdk";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { APICallError, generateText } from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compact, overflow } from "../../../pkg/entry/node.js";
import { toResponse, withCompaction, type FetchOptions } from "../../../pkg/fetch.js";
import { startProvider, type Provider } from "../../provider/provider.js";
import { anthropicHistory, chatHistory } from "../support/history.js";

let provider: Provider;
/** Requests that reached it, by what became of them. */
const kinds = (): string[] => provider.log.splice(0).map(({ kind }) => kind);
beforeAll(async () => void (provider = await startProvider({ window: 16_000 })));
afterAll(() => provider.close());

type Fetch = typeof fetch;
const tools = [{ type: "function" as const, function: { name: "read", parameters: { type: "object", properties: { path: { type: "string" } } } } }];

const ask = {
  openai: async (fetch: Fetch, messages: any[], stream = false): Promise<string> => {
    const client = new OpenAI({ apiKey: "k", baseURL: `${provider.url}/v1`, maxRetries: 3, fetch });
    const params = { model: "gpt-4o", max_completion_tokens: 500, messages, tools };
    const reply = stream ? await client.chat.completions.stream(params).finalChatCompletion() : await client.chat.completions.create(params);
    return reply.choices[0]!.message.content ?? "";
  },
  anthropic: async (fetch: Fetch, messages: any[], stream = false): Promise<string> => {
    const client = new Anthropic({ apiKey: "k", baseURL: provider.url, maxRetries: 3, fetch });
    const tools = [{ name: "read", description: "Reads a file.", input_schema: { type: "object" as const, properties: { path: { type: "string" } } } }];
    const params = { model: "claude-haiku-4-5", max_tokens: 500, messages, tools };
    const { content } = stream ? await client.messages.stream(params).finalMessage() : await client.messages.create(params);
    return content.map((block) => (block.type === "text" ? block.text : "")).join("");
  },
  "ai, OpenAI": async (fetch: Fetch, messages: any[]): Promise<string> => {
    const model = createOpenAI({ apiKey: "k", baseURL: `${provider.url}/v1`, fetch }).chat("gpt-4o");
    return (await generateText({ model, maxRetries: 3, maxOutputTokens: 500, messages })).text;
  },
  "ai, Anthropic": async (fetch: Fetch, messages: any[]): Promise<string> => {
    const model = createAnthropic({ apiKey: "k", baseURL: `${provider.url}/v1`, fetch })("claude-haiku-4-5");
    return (await generateText({ model, maxRetries: 3, maxOutputTokens: 500, messages })).text;
  },
};
type Client = keyof typeof ask;
const clients = Object.keys(ask) as Client[];
const words = "Then look at the next file, and say what it is about. ".repeat(30);
const talk = Array.from({ length: 81 }, (_, at) => ({ role: at % 2 ? "assistant" : "user", content: `${at}: ${words}` }));
const histories: Record<Client, any[]> = { openai: chatHistory(40).messages, anthropic: anthropicHistory(40).messages, "ai, OpenAI": talk, "ai, Anthropic": talk };
const too = [{ role: "user" as const, content: "word ".repeat(20_000) }];

const thrown = (promise: Promise<unknown>): Promise<any> => promise.then(() => expect.fail("it did not throw"), (error: unknown) => error);
const inner = (error: any): any => error.lastError ?? error;

describe.each(clients)("%s", (client) => {
  test("is answered where the plain fetch is refused", async () => {
    await thrown(ask[client](fetch, histories[client]));
    expect(new Set(kinds())).toEqual(new Set(["overflow"]));
    expect(await ask[client](withCompaction(fetch), histories[client])).not.toBe("");
    expect(kinds().slice(-1)).toEqual(["ok"]);
  });

  test("hears once of what cannot fit, and nothing was sent", async () => {
    const model = { id: "mine", window: 16_000 };
    let calls = 0;
    const wrapped = withCompaction(fetch, { model });
    const error = await thrown(ask[client](((...args: [any]) => (calls++, wrapped(...args))) as Fetch, too));
    expect([calls, kinds()]).toEqual([1, []]);
    expect(inner(error).status ?? inner(error).statusCode).toBe(400);
    expect(await overflow(error)).toMatchObject({ kind: "tokens" });
  });

  test("hears once of what the provider refuses to the end", async () => {
    let calls = 0;
    const wrapped = withCompaction(fetch, { retries: 1, onUnfit: "return" });
    const error = await thrown(ask[client](((...args: [any]) => (calls++, wrapped(...args))) as Fetch, too));
    expect(calls).toBe(1);
    expect(inner(error).status ?? inner(error).statusCode).toBe(400);
    expect(kinds()).toEqual(["overflow"]);
  });

  test("throttling reaches it as it is, and its own retries go on", async () => {
    let refused = 0;
    const limited: Fetch = async (...args) =>
      refused++ < 1 ? Response.json({ error: { type: "rate_limit_error", message: "Too many tokens, please wait" } }, { status: 429, headers: { "retry-after-ms": "1", "retry-after": "0" } }) : fetch(...args);
    expect(await ask[client](withCompaction(limited), [{ role: "user", content: "Hi." }])).not.toBe("");
    expect([refused, kinds()]).toEqual([2, ["ok"]]);
  });
});

test.each(["openai", "anthropic"] as const)("%s, streamed: the answer is whole, and so is what was heard of it", async (client) => {
  const heard: any[] = [];
  const options: FetchOptions = { onAnswer: (answer) => void heard.push(answer) };
  const text = await ask[client](withCompaction(fetch, options), histories[client], true);
  expect(kinds().slice(-1)).toEqual(["ok"]);
  expect(heard).toHaveLength(1);
  const { message, request } = heard[0];
  expect(typeof message.content === "string" ? message.content : message.content.map((block: any) => block.text ?? "").join("")).toBe(text);
  expect(request.messages).toEqual(histories[client]);
});

test("an overflow as the first event of a stream becomes one error where nothing helps", async () => {
  const refusal = 'event: error\ndata: {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 21000 tokens > 200 maximum"}}\n\n';
  let calls = 0;
  const inner: Fetch = async () => (calls++, new Response(refusal, { headers: { "content-type": "text/event-stream" } }));
  const error = await thrown(ask.anthropic(withCompaction(inner, { retries: 0 }), too, true));
  expect(error).toBeInstanceOf(Anthropic.BadRequestError);
  expect(error.error).toMatchObject({ error: { message: expect.stringMatching(/^prompt is too long: 21000/) } });
  expect(calls).toBe(1);
});

describe("toResponse, as each SDK reads it", () => {
  const unfit = (): Promise<any> => thrown(compact({ messages: too }, { model: { id: "mine", window: 8000 }, format: "openai-chat" }));
  const answering = (response: Response): { fetch: Fetch; calls: () => number } => {
    let calls = 0;
    return { fetch: async () => (calls++, response.clone()), calls: () => calls };
  };

  test.each(clients)("%s", async (client) => {
    const { fetch, calls } = answering(toResponse(await unfit(), client.includes("nthropic") ? "anthropic" : "openai-chat"));
    const error = inner(await thrown(ask[client](fetch, [{ role: "user", content: "Hi." }])));
    expect(error.message).toMatch(/20,\d\d\d|message/);
    expect(calls()).toBe(1);
    if (client === "openai") expect(error).toMatchObject({ code: "context_length_exceeded", type: "invalid_request_error" });
    if (client.startsWith("ai")) expect(APICallError.isInstance(error)).toBe(true);
  });
});
