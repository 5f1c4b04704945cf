/** The strict provider itself: every rule with a history that is refused and a near one that is accepted. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startProvider, type Provider, type ProviderOptions, type WireFormat } from "./provider.js";
import { gif, jpeg, png, webp } from "./blank.js";

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
beforeEach(() => {
  provider.options = {};
});
afterAll(() => provider.close());

const PATHS: Record<WireFormat, string> = { "openai-chat": "/v1/chat/completions", anthropic: "/v1/messages" };
const HEADERS = { authorization: "Bearer key", "x-api-key": "key", "anthropic-version": "2023-06-01", "content-type": "application/json" };

function post(format: WireFormat, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return fetch(provider.url + PATHS[format], { method: "POST", headers: { ...HEADERS, ...headers }, body: text });
}

const last = () => provider.log.at(-1)!;

// ── OpenAI ──

const user = (content: unknown = "hello") => ({ role: "user", content });
const system = (content = "be brief") => ({ role: "system", content });
const says = (content: unknown = "fine") => ({ role: "assistant", content });
const calls = (...ids: string[]) => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "read", arguments: '{"path":"a"}' } })),
});
const result = (id: string, content: unknown = "words") => ({ role: "tool", tool_call_id: id, content });
const picture = (url = `data:image/png;base64,${png(8, 8)}`) => ({ type: "image_url", image_url: { url } });
const words = (text = "words") => ({ type: "text", text });

type Rule = { rule: string; refused: object[]; accepted: object[]; says: string; options?: ProviderOptions; more?: object };

const OPENAI: Rule[] = [
  {
    rule: "orphan-result",
    refused: [user(), result("c1")],
    accepted: [user(), calls("c1"), result("c1")],
    says: "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
  },
  {
    rule: "orphan-result",
    refused: [user(), calls("c1"), result("c1"), user(), result("c1")],
    accepted: [user(), calls("c1"), result("c1"), user(), calls("c1"), result("c1")],
    says: "must be a response to a preceeding message",
  },
  {
    rule: "unanswered-call",
    refused: [user(), calls("c1", "c2"), result("c1"), user()],
    accepted: [user(), calls("c1", "c2"), result("c2"), result("c1"), user()],
    says: "The following tool_call_ids did not have response messages: c2",
  },
  { rule: "unanswered-call", refused: [user(), calls("c1")], accepted: [user(), calls("c1"), result("c1")], says: "did not have response messages: c1" },
  {
    rule: "unanswered-call",
    refused: [user(), calls("c1"), system(), result("c1")],
    accepted: [user(), calls("c1"), result("c1"), system()],
    says: "did not have response messages: c1",
  },
  {
    rule: "duplicate-result",
    refused: [user(), calls("c1"), result("c1"), result("c1")],
    accepted: [user(), calls("c1"), result("c1"), calls("c1"), result("c1")],
    says: "Duplicate value for 'tool_call_id' of 'c1', in messages[2] and messages[3].",
  },
  { rule: "duplicate-call", refused: [user(), calls("c1", "c1"), result("c1")], accepted: [user(), calls("c1"), result("c1")], says: "Duplicate value for 'id'" },
  { rule: "empty-content", refused: [user(null)], accepted: [user("")], says: "expected a string, got null" },
  { rule: "empty-content", refused: [user(), says(null)], accepted: [user(), says("")], says: "expected a string, got null" },
  { rule: "empty-content", refused: [user([])], accepted: [user([words("")])], says: "empty array" },
  { rule: "empty-content", refused: [], accepted: [user()], says: "Invalid 'messages': empty array" },
  {
    rule: "empty-content",
    refused: [user(), { ...says(), tool_calls: [] }],
    accepted: [user(), says()],
    says: "Invalid 'messages[1].tool_calls': empty array",
  },
  {
    rule: "picture-place",
    refused: [user(), calls("c1"), result("c1", [picture()])],
    accepted: [user(), calls("c1"), result("c1", [words()]), user([words(), picture()])],
    says: "Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.",
  },
  { rule: "unreadable-picture", refused: [user([picture("data:image/png;base64,AAAA")])], accepted: [user([picture()])], says: "unsupported image" },
  { rule: "role", refused: [{ role: "model", content: "x" }], accepted: [says(), user()], says: "Invalid value: 'model'." },
  { rule: "part-type", refused: [user(), says([{ type: "file" }]), user()], accepted: [user(), says([words()]), user()], says: "Invalid value: 'file'" },
  {
    rule: "call-name",
    refused: [user(), { ...calls("c1"), tool_calls: [{ id: "c1", type: "function", function: { name: "a b", arguments: "{}" } }] }, result("c1")],
    accepted: [user(), calls("c1"), result("c1")],
    says: "string does not match pattern",
  },
  {
    rule: "system-position",
    options: { host: { systemFirst: true } },
    refused: [user(), system(), says(), user()],
    accepted: [system(), user(), says(), user()],
    says: "System message must be at the beginning.",
  },
  {
    rule: "role-order",
    options: { host: { alternate: true } },
    refused: [system(), user(), user()],
    accepted: [system(), user(), calls("c1"), result("c1"), says(), user()],
    says: "Conversation roles must alternate user/assistant/",
  },
  {
    rule: "reasoning",
    options: { host: { reasoning: true } },
    refused: [user(), calls("c1"), result("c1")],
    accepted: [user(), { ...calls("c1"), reasoning_content: "because" }, result("c1")],
    says: "reasoning_content",
  },
];

describe("OpenAI refuses", () => {
  test.each(OPENAI.map((row, index) => [`${index} ${row.rule}`, row] as const))("%s", (_, row) => both("openai-chat", row));

  test("not what only stricter hosts refuse", async () => {
    const messages = [user(), user(), system(), says(), says(), user()];
    expect((await post("openai-chat", { model: "gpt-4o", messages })).status).toBe(200);
  });
});

async function both(format: WireFormat, { rule, refused, accepted, says: sentence, options = {}, more = {} }: Rule): Promise<void> {
  provider.options = options;
  const frame = format === "anthropic" ? { model: "claude-haiku-4-5", max_tokens: 2048, ...more } : { model: "gpt-4o", ...more };
  const no = await post(format, { ...frame, messages: refused });
  const { error } = (await no.json()) as any;
  expect({ status: no.status, kind: last().kind, rule: last().rule, type: error.type }).toEqual({
    ...{ status: 400, kind: "validity", rule, type: "invalid_request_error" },
  });
  expect(error.message).toContain(sentence);
  const yes = await post(format, { ...frame, messages: accepted });
  expect([yes.status, last().kind, last().message]).toEqual([200, "ok", ""]);
}

// ── Anthropic ──

const use = (...ids: string[]) => says(ids.map((id) => ({ type: "tool_use", id, name: "read", input: { path: "a" } })));
const gives = (id: string, content: unknown = "words") => ({ type: "tool_result", tool_use_id: id, content });
const shot = (data = png(8, 8), media = "image/png") => ({ type: "image", source: { type: "base64", media_type: media, data } });
const thought = (thinking = "hm", signature = "a signature of elsewhere") => ({ type: "thinking", thinking, signature });
const reads = { type: "tool_use", id: "u1", name: "read", input: {} };
const searched = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} };
const found = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] };
const marked = (count: number) => Array.from({ length: count }, () => ({ ...words(), cache_control: { type: "ephemeral" } }));

const ANTHROPIC: Rule[] = [
  { rule: "first-role", refused: [says(), user()], accepted: [user(), says(), user()], says: 'messages: first message must use the "user" role' },
  {
    rule: "unanswered-call",
    refused: [user(), use("u1", "u2"), user([gives("u1")])],
    accepted: [user(), use("u1", "u2"), user([gives("u2"), gives("u1")])],
    says: "`tool_use` ids were found without `tool_result` blocks immediately after: u2.",
  },
  { rule: "unanswered-call", refused: [user(), use("u1")], accepted: [user(), says()], says: "immediately after: u1." },
  {
    rule: "unanswered-call",
    refused: [user(), use("u1"), user([words(), gives("u1")])],
    accepted: [user(), use("u1"), user([gives("u1"), words()])],
    says: "immediately after: u1.",
  },
  {
    // Consecutive messages of one role are one turn.
    rule: "unanswered-call",
    refused: [user(), use("u1"), user("wait"), user([gives("u1")])],
    accepted: [user(), use("u1"), says("and"), use("u2"), user([gives("u1")]), user([gives("u2")]), user("so")],
    says: "immediately after: u1.",
  },
  {
    rule: "orphan-result",
    refused: [user(), says(), user([gives("u1")])],
    accepted: [user(), use("u1"), user([gives("u1")])],
    says: "unexpected `tool_use_id` found in `tool_result` blocks: u1.",
  },
  {
    rule: "orphan-result",
    refused: [user(), use("u1"), user([gives("u1")]), says(), user([gives("u1")])],
    accepted: [user(), use("u1"), user([gives("u1")]), use("u1"), user([gives("u1")])],
    says: "unexpected `tool_use_id`",
  },
  { rule: "duplicate-call", refused: [user(), use("u1", "u1"), user([gives("u1")])], accepted: [user(), use("u1"), user([gives("u1")])], says: "`tool_use` ids must be unique" },
  {
    rule: "duplicate-result",
    refused: [user(), use("u1"), user([gives("u1"), gives("u1")])],
    accepted: [user(), use("u1"), user([gives("u1")])],
    says: "each tool_use must have a single result. Found multiple `tool_result` blocks with id: u1",
  },
  { rule: "empty-content", refused: [user([words("")])], accepted: [user([words("x")])], says: "messages: text content blocks must be non-empty" },
  { rule: "empty-content", refused: [user([words(" \n")])], accepted: [user([words(" x")])], says: "messages: text content blocks must contain non-whitespace text" },
  {
    rule: "empty-content",
    refused: [user(), use("u1"), user([gives("u1", [words("")])])],
    accepted: [user(), use("u1"), user([gives("u1", "")])],
    says: "text content blocks must be non-empty",
  },
  { rule: "empty-content", refused: [user(), says([]), user()], accepted: [user(), says([])], says: "all messages must have non-empty content except for the optional final assistant message" },
  { rule: "empty-content", more: { system: [words("")] }, refused: [user()], accepted: [user()], says: "system: text content blocks must be non-empty" },
  { rule: "trailing-blank", refused: [user(), says("so ")], accepted: [user(), says("so")], says: "cannot end with trailing whitespace" },
  { rule: "role", refused: [user(), system()], accepted: [user(), user()], says: 'Unexpected role "system"' },
  {
    rule: "system-position",
    options: { rules: { systemInside: true } },
    refused: [user(), system(), user()],
    accepted: [user(), system(), says(), user(), system(), system()],
    says: "must be the last message or be followed by an 'assistant' message",
  },
  {
    rule: "system-position",
    options: { rules: { systemInside: true } },
    refused: [user(), says(), system()],
    accepted: [user(), says(), user(), system()],
    says: "must follow a 'user' message",
  },
  { rule: "part-type", refused: [user(), says([shot()]), user()], accepted: [user([shot()])], says: "image blocks may only appear in user messages" },
  { rule: "part-type", refused: [user([reads])], accepted: [user(), says([reads]), user([gives("u1")])], says: "tool_use blocks may only appear in assistant messages" },
  {
    rule: "orphan-result",
    refused: [user(), says([found, words()]), user()],
    accepted: [user(), says([searched]), says([found, words()]), user()],
    says: "Each `web_search_tool_result` block must have a corresponding `server_tool_use` block before it.",
  },
  {
    rule: "thinking",
    refused: [user(), says([{ type: "thinking", thinking: "hm" }, words()]), user()],
    accepted: [user(), says([thought(), words()]), user()],
    says: "thinking.signature: Field required",
  },
  {
    rule: "thinking-signature",
    options: { rules: { foreignSignatures: false } },
    refused: [user(), says([thought(), words()]), user()],
    accepted: [user(), says([words()]), user()],
    says: "Invalid `signature` in `thinking` block",
  },
  {
    rule: "thinking-missing",
    more: { thinking: { type: "enabled", budget_tokens: 1024 } },
    refused: [user(), says([reads]), user([gives("u1")])],
    accepted: [user(), says([thought(), reads]), user([gives("u1")])],
    says: "Expected `thinking` or `redacted_thinking`, but found `tool_use`.",
  },
  { rule: "cache-markers", refused: [user(marked(5))], accepted: [user(marked(4))], says: "A maximum of 4 blocks with cache_control may be provided. Found 5." },
  { rule: "unreadable-picture", refused: [user([shot("AAAA")])], accepted: [user([shot()])], says: "Could not process image" },
  { rule: "picture-media", refused: [user([shot(png(8, 8), "image/jpeg")])], accepted: [user([shot(jpeg(8, 8), "image/jpeg")])], says: "appears to be a image/png image" },
  { rule: "call-input", refused: [user(), says([{ ...reads, input: "a" }]), user([gives("u1")])], accepted: [user(), says([reads]), user([gives("u1")])], says: "valid dictionary" },
];

describe("Anthropic refuses", () => {
  const rows = ANTHROPIC.map((row, index) => [`${index} ${row.rule}`, row] as const);
  test.each(rows.filter(([, { more }]) => !more || !("system" in more)))("%s", (_, row) => both("anthropic", row));

  test("an empty block in the system prompt", async () => {
    const frame = { model: "claude-haiku-4-5", max_tokens: 64, messages: [user()] };
    expect((await post("anthropic", { ...frame, system: [words("")] })).status).toBe(400);
    expect(last()).toMatchObject({ kind: "validity", rule: "empty-content", message: "system: text content blocks must be non-empty" });
    expect((await post("anthropic", { ...frame, system: [words("x")] })).status).toBe(200);
  });

  test("more thinking than answer", async () => {
    const frame = { model: "claude-haiku-4-5", thinking: { type: "enabled", budget_tokens: 1024 }, messages: [user()] };
    await post("anthropic", { ...frame, max_tokens: 1024 });
    expect(last()).toMatchObject({ kind: "validity", message: "`max_tokens` must be greater than `thinking.budget_tokens`." });
    await post("anthropic", { ...frame, max_tokens: 1025 });
    expect(last().kind).toBe("ok");
  });

  test("thinking of the latest turn that is changed, moved or left out", async () => {
    provider.options = { answer: () => ({ thinking: "let me see", text: "I look.", calls: [{ name: "read", input: {} }] }) };
    const frame = { model: "claude-haiku-4-5", max_tokens: 2048, thinking: { type: "enabled", budget_tokens: 1024 } };
    const reply = (await (await post("anthropic", { ...frame, messages: [user()] })).json()) as any;
    const [thinking, text, call] = reply.content;
    expect([thinking.type, text.type, call.type]).toEqual(["thinking", "text", "tool_use"]);
    const send = async (...blocks: object[]) => {
      await post("anthropic", { ...frame, messages: [user(), says(blocks), user([gives(call.id)])] });
      return last().rule;
    };
    expect(await send(thinking, text, call)).toBe("");
    expect(await send({ ...thinking, thinking: "let me see!" }, text, call)).toBe("thinking-signature");
    expect(await send(thinking, thinking, text, call)).toBe("thinking-modified");
    expect(await send(thinking, call, text)).toBe("thinking-modified");
    expect(await send(text, call)).toBe("thinking-missing");
    // Of an older turn it may be left out.
    await post("anthropic", { ...frame, messages: [user(), says([text, call]), user([gives(call.id)]), says("done"), user()] });
    expect(last().rule).toBe("");
  });
});

describe("limits", () => {
  test("bytes", async () => {
    provider.options = { limits: { bytes: 1000 } };
    for (const format of ["openai-chat", "anthropic"] as const) {
      const frame = { model: format === "anthropic" ? "claude-haiku-4-5" : "gpt-4o", max_tokens: 64 };
      const small = JSON.stringify({ ...frame, messages: [user("")] }).length;
      const fits = user("x".repeat(1000 - small));
      expect((await post(format, { ...frame, messages: [fits] })).status).toBe(200);
      expect((await post(format, { ...frame, messages: [user(`${fits.content}x`)] })).status).toBe(413);
      expect(last()).toMatchObject({ kind: "bytes", status: 413 });
    }
  });

  test("pictures: how many, how large", async () => {
    const frame = { model: "claude-haiku-4-5", max_tokens: 64 };
    const send = async (...pictures: object[]) => {
      await post("anthropic", { ...frame, messages: [user(pictures)] });
      return [last().kind, last().rule];
    };
    const small = shot(png(20, 20));
    provider.options = { limits: { images: 22 } };
    expect(await send(...Array(22).fill(small))).toEqual(["ok", ""]);
    expect(await send(...Array(23).fill(small))).toEqual(["images", "picture-count"]);
    // Above 20 pictures an edge may have 2000 px, else 8000.
    expect(await send(...Array(19).fill(small), shot(png(2001, 4)))).toEqual(["ok", ""]);
    expect(await send(...Array(20).fill(small), shot(png(2001, 4)))).toEqual(["images", "picture-size"]);
    expect(await send(...Array(20).fill(small), shot(png(2000, 4)))).toEqual(["ok", ""]);
    expect(await send(shot(png(8000, 4)))).toEqual(["ok", ""]);
    expect(await send(shot(png(8001, 4)))).toEqual(["images", "picture-size"]);
    provider.options = { limits: { imageBytes: 64 } };
    expect(await send(small)).toEqual(["images", "picture-bytes"]);
    // One in a result counts like any other.
    provider.options = { limits: { images: 1 } };
    await post("anthropic", { ...frame, messages: [user([small]), use("u1"), user([gives("u1", [small])])] });
    expect(last()).toMatchObject({ kind: "images", pictures: 2, message: "Too much media: 0 document pages + 2 images > 1" });
    await post("openai-chat", { model: "gpt-4o", messages: [user([picture(), picture()])] });
    expect(last()).toMatchObject({ kind: "images", rule: "picture-count" });
  });

  test("keys", async () => {
    const none = (url: string) => fetch(provider.url + url, { method: "POST", body: "{}" });
    expect([(await none("/v1/chat/completions")).status, (await none("/v1/messages")).status, (await none("/v1/x")).status]).toEqual([401, 401, 404]);
    expect((await post("openai-chat", "{")).status).toBe(400);
    expect(last()).toMatchObject({ kind: "validity", rule: "json" });
  });

  test("headers of the four kinds of picture file", async () => {
    const sized = { model: "claude-haiku-4-5", max_tokens: 64 };
    const bare = await counted("anthropic", { ...sized, messages: [user([words("x")])] });
    for (const [file, media] of [[png, "image/png"], [jpeg, "image/jpeg"], [gif, "image/gif"], [webp, "image/webp"]] as const) {
      // 20 squares by 10.
      const tokens = await counted("anthropic", { ...sized, messages: [user([words("x"), shot(file(560, 280), media)])] });
      expect([media, tokens - bare]).toEqual([media, 200]);
    }
  });
});

async function counted(format: WireFormat, body: object): Promise<number> {
  const { usage } = (await (await post(format, body)).json()) as any;
  if (format === "openai-chat") return usage.prompt_tokens;
  return usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
}
