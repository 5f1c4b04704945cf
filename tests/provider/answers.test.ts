/** What the strict provider counts, remembers, says and gets wrong on purpose, seen through the real clients. */
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { png } from "./blank.js";
import { anthropicPicture, openaiPicture } from "./pictures.js";
import { startProvider, WORDS, type Provider, type Words } from "./provider.js";

let provider: Provider;
let openai: OpenAI;
let anthropic: Anthropic;
beforeAll(async () => {
  provider = await startProvider();
  openai = new OpenAI({ apiKey: "key", baseURL: `${provider.url}/v1`, maxRetries: 0 });
  anthropic = new Anthropic({ apiKey: "key", baseURL: provider.url, maxRetries: 0 });
});
beforeEach(() => {
  provider.options = {};
});
afterAll(() => provider.close());

const last = () => provider.log.at(-1)!;

type Chat = OpenAI.ChatCompletionCreateParamsNonStreaming;
const chat = (messages: Chat["messages"], more: Partial<Chat> = {}) => openai.chat.completions.create({ model: "gpt-4o", messages, ...more });
const message = (messages: Anthropic.MessageParam[], more: Partial<Anthropic.MessageCreateParamsNonStreaming> = {}) =>
  anthropic.messages.create({ model: "claude-haiku-4-5", max_tokens: 64, messages, ...more });
const user = (content: string) => ({ role: "user" as const, content });

describe("counts", () => {
  test("as the OpenAI cookbook says the API counted", async () => {
    const example = (name: string, content: string) => ({ role: "system" as const, name, content });
    await chat([
      { role: "system", content: "You are a helpful, pattern-following assistant that translates corporate jargon into plain English." },
      example("example_user", "New synergies will help drive top-line growth."),
      example("example_assistant", "Things working well together will increase revenue."),
      example("example_user", "Let's circle back when we have more bandwidth to touch base on opportunities for increased leverage."),
      example("example_assistant", "Let's talk later when we're less busy about how to do better."),
      user("This late pivot means we don't have time to boil the ocean for the client deliverable."),
    ]);
    expect(last().input).toBe(124);
    const location = { type: "string", description: "The city and state, e.g. San Francisco, CA" };
    const unit = { type: "string", description: "The unit of temperature to return", enum: ["celsius", "fahrenheit"] };
    const parameters = { type: "object", properties: { location, unit }, required: ["location"] };
    await chat(
      [
        { role: "system", content: "You are a helpful assistant that can answer to questions about the weather." },
        user("What's the weather like in San Francisco?"),
      ],
      { tools: [{ type: "function", function: { name: "get_current_weather", description: "Get the current weather in a given location", parameters } }] },
    );
    expect(last().input).toBe(101);
  });

  test("a call, its result and a picture by hand", async () => {
    // user, hello, world; 3 a message, 3 for the answer.
    await chat([user("hello world")]);
    expect(last().input).toBe(3 + 1 + 2 + 3);
    // 512×512 is one tile; `low` is the base alone.
    const url = `data:image/png;base64,${png(512, 512)}`;
    const seen = (detail: "low" | "high") => chat([{ role: "user", content: [{ type: "image_url", image_url: { url, detail } }] }]);
    await seen("high");
    expect(last().input).toBe(3 + 1 + (85 + 170) + 3);
    await seen("low");
    expect(last().input).toBe(3 + 1 + 85 + 3);
    // 280×280 is 10 squares by 10.
    const source = { type: "base64" as const, media_type: "image/png" as const, data: png(280, 280) };
    await message([{ role: "user", content: [{ type: "image", source }] }]);
    expect(last().input).toBe(3 + 1 + 100 + 3);
    const call: Anthropic.ToolUseBlockParam = { type: "tool_use", id: "a", name: "read", input: {} };
    const result: Anthropic.ToolResultBlockParam = { type: "tool_result", tool_use_id: "a", content: [{ type: "image", source }] };
    await message([user("hello world"), { role: "assistant", content: [call] }, { role: "user", content: [result] }]);
    // {} is one token, and so are "a" and "read" and each of the roles.
    expect(last().input).toBe(6 + (3 + 1 + (3 + 1 + 1 + 1)) + (3 + 1 + (3 + 1 + 100)) + 3);
  });

  test("pictures as the published vectors say", () => {
    const cost = (model: string, width: number, height: number): number[] => {
      const seen = anthropicPicture(model, { width, height });
      return [seen.tokens, seen.width, seen.height];
    };
    const [high, standard] = ["claude-opus-4-7", "claude-haiku-4-5"];
    expect([high, standard].map((model) => cost(model, 1092, 1092)[0])).toEqual([1521, 1521]);
    expect(cost(high, 1920, 1080)[0]).toBe(2691);
    expect(cost(standard, 1920, 1080)).toEqual([1560, 1456, 819]);
    expect([high, standard].map((model) => cost(model, 2000, 1500)[0])).toEqual([3888, 1564]);
    expect(cost(high, 3840, 2160)).toEqual([4784, 2576, 1449]);
    expect(cost(standard, 3840, 2160)[0]).toBe(1560);
    expect(cost(standard, 1075, 1520).slice(1)).toEqual([924, 1307]);
    expect(cost(standard, 1568, 1568).slice(1)).toEqual([1092, 1092]);
    expect(cost(standard, 1568, 784)).toEqual([1568, 1568, 784]);
    expect(cost("claude-fable-1", 1932, 1932)).toEqual([4761, 1932, 1932]);
    expect(["claude-sonnet-5", "claude-opus-5-20260801", "claude-sonnet-4-20250514"].map((model) => cost(model, 1920, 1080)[0])).toEqual([2691, 2691, 1560]);
    // Tiles: 1024×1024 is fitted to 768×768, four tiles; 2048×4096 to 768×1536, six.
    expect(openaiPicture("gpt-4o", { width: 1024, height: 1024 }, "high")).toBe(85 + 4 * 170);
    expect(openaiPicture("gpt-4o", { width: 2048, height: 4096 }, "high")).toBe(85 + 6 * 170);
    expect(openaiPicture("gpt-4o-mini", { width: 1, height: 1 }, "auto")).toBe(2833 + 5667);
    expect(openaiPicture("gpt-5", { width: 512, height: 512 }, "auto")).toBe(70 + 140);
    // Patches: 1024² is 32²; 1800×2400 over a budget of 1536 becomes 33 by 44.
    expect(openaiPicture("gpt-4.1-mini", { width: 1024, height: 1024 }, "auto")).toBe(Math.ceil(1024 * 1.62));
    expect(openaiPicture("gpt-4.1-mini", { width: 1800, height: 2400 }, "auto")).toBe(Math.ceil(33 * 44 * 1.62));
    expect(openaiPicture("gpt-5.6", { width: 3200, height: 3200 }, "auto")).toBe(12_000);
  });
});

describe("the cache", () => {
  test("shares whole messages of any earlier request", async () => {
    provider.options = { seed: 1 };
    const talk = [user("first words"), { role: "assistant" as const, content: "an answer" }, user("second words")];
    expect((await chat(talk)).usage!.prompt_tokens_details!.cached_tokens).toBe(0);
    const grown = await chat([...talk, { role: "assistant", content: "another" }, user("third")]);
    // 3 + 1 + 2 each.
    expect(grown.usage!.prompt_tokens_details!.cached_tokens).toBe(18);
    const other = await chat([talk[0]!, { role: "assistant", content: "no answer" }, user("second words")]);
    expect(other.usage!.prompt_tokens_details!.cached_tokens).toBe(6);
    const tool = { type: "function" as const, function: { name: "read", parameters: { type: "object", properties: {} } } };
    expect((await chat(talk, { tools: [tool] })).usage!.prompt_tokens_details!.cached_tokens).toBe(0);
  });

  test("is told apart from fresh input by Anthropic, and a breakpoint that moves breaks nothing", async () => {
    const marked = (text: string) => ({ role: "user" as const, content: [{ type: "text" as const, text, cache_control: { type: "ephemeral" as const } }] });
    const plain = (text: string) => ({ role: "user" as const, content: [{ type: "text" as const, text }] });
    const first = await message([marked("hello world")], { system: "be brief" });
    // 3 + 2 for the system prompt, 6 for the message, 3 for the answer.
    expect(first.usage).toMatchObject({ input_tokens: 0, cache_creation_input_tokens: 14, cache_read_input_tokens: 0 });
    const second = await message([plain("hello world"), { role: "assistant", content: "hi" }, marked("hello world")], { system: "be brief" });
    expect(second.usage).toMatchObject({ input_tokens: 0, cache_creation_input_tokens: 14, cache_read_input_tokens: 11 });
    const third = await message([plain("hello world")], { system: "be long" });
    expect(third.usage).toMatchObject({ input_tokens: 14, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 });
    // A refusal leaves nothing behind.
    provider.options = { window: 64 };
    await expect(message([user("never seen before")])).rejects.toThrow("exceed context limit");
    expect((await message([user("never seen before")], { max_tokens: 1 })).usage.cache_read_input_tokens).toBe(0);
  });
});

describe("answers", () => {
  const calls = [
    { name: "read", input: { path: "ünï/😀.txt", lines: [1, 2] } },
    { name: "list", input: {} },
  ];
  const said = { text: "I look at both of them, one after the other: ünï and 😀.", calls };

  test("are the same streamed and whole, for OpenAI", async () => {
    provider.options = { answer: () => said };
    const whole = await chat([user("look")]);
    const stream = openai.chat.completions.stream({ model: "gpt-4o", messages: [user("look")], stream_options: { include_usage: true } });
    const streamed = await stream.finalChatCompletion();
    const told = (reply: OpenAI.ChatCompletion) => {
      const { message, finish_reason } = reply.choices[0]!;
      return [message.content, message.tool_calls?.map((call) => call.type === "function" && [call.function.name, call.function.arguments]), finish_reason];
    };
    expect(told(whole)).toEqual([said.text, calls.map(({ name, input }) => [name, JSON.stringify(input)]), "tool_calls"]);
    expect(told(streamed)).toEqual(told(whole));
    expect(streamed.usage!.prompt_tokens).toBe(whole.usage!.prompt_tokens);
    expect(streamed.usage!.prompt_tokens_details!.cached_tokens).toBe(whole.usage!.prompt_tokens - 3);
    const silent = await openai.chat.completions.stream({ model: "gpt-4o", messages: [user("look")] }).finalChatCompletion();
    expect(silent.usage ?? undefined).toBeUndefined();
  });

  test("are the same streamed and whole, for Anthropic", async () => {
    provider.options = { answer: () => ({ ...said, thinking: "Both, then." }) };
    const whole = await message([user("look")]);
    const streamed = await anthropic.messages.stream({ model: "claude-haiku-4-5", max_tokens: 64, messages: [user("look")] }).finalMessage();
    expect(whole.content.map(({ type }) => type)).toEqual(["thinking", "text", "tool_use", "tool_use"]);
    expect(whole.stop_reason).toBe("tool_use");
    const { id: _, usage: spent, content, ...rest } = streamed;
    expect(rest).toMatchObject({ stop_reason: "tool_use", role: "assistant" });
    const nameless = (blocks: Anthropic.ContentBlock[]) => blocks.map((block) => ({ ...block, id: "" }));
    expect(nameless(content)).toMatchObject(nameless(whole.content));
    expect(spent.output_tokens).toBe(whole.usage.output_tokens);
    expect(spent.input_tokens + spent.cache_read_input_tokens!).toBe(whole.usage.input_tokens);
  });

  test("end where no more was asked for", async () => {
    provider.options = { answer: () => ({ text: "word ".repeat(100) }) };
    const reply = await chat([user("talk")], { max_completion_tokens: 10 });
    expect(reply.choices[0]!.finish_reason).toBe("length");
    expect(reply.usage!.completion_tokens).toBe(10);
    provider.options.window = last().input + 5;
    expect((await chat([user("talk")])).usage!.completion_tokens).toBe(5);
  });

  test("a summary comes from the test, and a request without one is cut", async () => {
    provider.options = { summary: { when: ({ body }) => body.messages[0].content.startsWith("Summarise"), answer: () => "## Context" } };
    expect((await chat([user("Summarise this")])).choices[0]!.message.content).toBe("## Context");
    expect(last().summary).toBe(true);
    expect((await chat([user("What?")])).choices[0]!.message.content).not.toBe("## Context");
    expect(last().summary).toBe(false);
    provider.options.summary!.answer = () => undefined;
    await expect(chat([user("Summarise this")])).rejects.toThrow(OpenAI.APIConnectionError);
  });

  test("are made up from the request and the seed", async () => {
    const twice = [await chat([user("a")]), await chat([user("a")]), await chat([user("b")])].map((reply) => reply.choices[0]!.message.content);
    expect(twice[0]).toBe(twice[1]);
    expect(twice[0]).not.toBe(twice[2]);
  });
});

/** What users were shown, by host (facts about the wire, "Overflow, in the providers' words"). Nothing where nothing is said. */
const SHOWN: Record<Words, RegExp> = {
  openai: /maximum context length is 4096 tokens/,
  "openai-new": /Your input exceeds the context window of this model/,
  anthropic: /prompt is too long: \d+ tokens > 4096 maximum/,
  gemini: /The input token count \(\d+\) exceeds the maximum number of tokens allowed \(4096\)/,
  bedrock: /Input is too long for requested model/,
  xai: /maximum prompt length is 4096 but the request contains \d+/,
  groq: /Please reduce the length of the messages or completion/,
  mistral: /too large for model with 4096 maximum context length/,
  openrouter: /This endpoint's maximum context length is 4096/,
  together: /The input \(\d+ tokens\) is longer than the model's context length \(4096 tokens\)\./,
  vllm: /maximum context length is 4096 tokens/,
  llamacpp: /exceeds the available context size/,
  lmstudio: /greater than the context length/,
  ollama: /prompt too long; exceeded max context length/,
  copilot: /prompt token count of \d+ exceeds the limit of 4096/,
  kimi: /exceeded model token limit/,
  minimax: /context window exceeds limit/,
  silent: /no body/,
  "silent-413": /no body/,
};

describe("overflows", () => {
  test.each(WORDS)("in the words of %s", async (words) => {
    provider.options = { window: 4096, words };
    const long = "some words of a text ".repeat(2000);
    const errors = await Promise.allSettled([chat([user(long)]), message([user(long)])]);
    for (const outcome of errors) {
      expect(outcome).toMatchObject({ reason: { status: words === "silent-413" ? 413 : 400, message: expect.stringMatching(SHOWN[words]) } });
    }
    for (const entry of provider.log.slice(-2)) {
      expect(entry).toMatchObject({ kind: "overflow", rule: words });
      expect(entry.input).toBeGreaterThan(4096);
    }
  });

  test("of the answer that is asked for", async () => {
    provider.options = { window: 4096 };
    await expect(chat([user("hello world")], { max_tokens: 4088 })).rejects.toThrow("you requested 4097 tokens (9 in the messages, 4088 in the completion)");
    expect(last().kind).toBe("output");
    await chat([user("hello world")], { max_tokens: 4087 });
    await expect(message([user("hello world")], { max_tokens: 4088 })).rejects.toThrow("exceed context limit: 9 + 4088 > 4096");
    await message([user("hello world")], { max_tokens: 4087 });
    provider.options.maxOutput = 100;
    await expect(chat([user("x")], { max_tokens: 101 })).rejects.toThrow("supports at most 100 completion tokens");
    await expect(message([user("x")], { max_tokens: 101 })).rejects.toThrow("max_tokens: 101 > 100");
  });
});

describe("faults", () => {
  const stream = (content: string) => openai.chat.completions.create({ model: "gpt-4o", messages: [user(content)], stream: true });
  const words = "some words of a text ".repeat(2000);

  test("an overflow as the first event of a stream", async () => {
    provider.options = { window: 4096, fault: () => ({ kind: "streamed-overflow" }) };
    const opened = await stream(words);
    await expect(all(opened)).rejects.toThrow("maximum context length is 4096");
    expect(last()).toMatchObject({ kind: "overflow", status: 200 });
    const events = anthropic.messages.stream({ model: "claude-haiku-4-5", max_tokens: 64, messages: [user(words)] });
    await expect(events.finalMessage()).rejects.toThrow("prompt is too long");
    // One that fits is answered.
    expect((await all(await stream("hello"))).length).toBeGreaterThan(3);
  });

  test("throttling and overload", async () => {
    provider.options = { fault: () => ({ kind: "throttle", words: "tokens" }) };
    await expect(chat([user("x")])).rejects.toThrow(OpenAI.RateLimitError);
    await expect(message([user("x")])).rejects.toThrow("input tokens per minute");
    provider.options = { fault: () => ({ kind: "overloaded" }) };
    await expect(message([user("x")])).rejects.toMatchObject({ status: 529 });
    expect(last()).toMatchObject({ kind: "fault", rule: "overloaded" });
  });

  test("a slow first byte, a cut connection, a full window", async () => {
    provider.options = { fault: () => ({ kind: "slow", ms: 60 }) };
    const start = performance.now();
    await all(await stream("x"));
    expect(performance.now() - start).toBeGreaterThan(55);
    provider.options = { fault: () => ({ kind: "cut", events: 2 }) };
    await expect(stream("x").then(all)).rejects.toThrow();
    await expect(chat([user("x")])).rejects.toThrow();
    await expect.poll(() => last().aborted).toBe(true);
    provider.options = { fault: () => ({ kind: "no-room" }) };
    expect((await chat([user("x")])).choices[0]).toMatchObject({ finish_reason: "length", message: { content: "" } });
  });
});

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const events: T[] = [];
  for await (const event of stream) events.push(event);
  return events;
}
