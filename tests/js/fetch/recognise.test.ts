/** What is compacted, and what goes through as if nobody stood between. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { check, measure, OptionError } from "../../../pkg/entry/node.js";
import { withCompaction } from "../../../pkg/fetch.js";
import { anthropicHistory, chatHistory } from "../support/history.js";
import { chatReply, chatTooLong, chatUrl, json, messagesUrl, post, upstream } from "./upstream.js";

const model = { id: "gpt-4o", window: 16_000 };
const large = chatHistory(60);
const small = chatHistory(2);

async function expectFits(body: object, reader = model): Promise<void> {
  expect(await check(body)).toEqual([]);
  expect((await measure(body, { model: reader })).fill).toBeLessThan(0.8);
}

describe("passes untouched, with the same arguments and the same promise", () => {
  const request = { model: "gpt-4o", messages: [] };
  test.each<[string, any[]]>([
    ["a GET", ["https://x.example/v1/chat/completions"]],
    ["a GET with a body's shape", [chatUrl, { method: "GET" }]],
    ["another path", ["https://x.example/v1/embeddings", post(large)]],
    ["the count of tokens", ["https://x.example/v1/messages/count_tokens", post(anthropicHistory(60))]],
    ["batches", ["https://x.example/v1/messages/batches", post({ requests: [] })]],
    ["formats that are not read yet", ["https://x.example/v1/responses", post({ model: "gpt-5", input: [] })]],
    ["Gemini", ["https://x.example/v1beta/models/gemini-3-pro:generateContent", post({ contents: [] })]],
    ["text that is no JSON", [chatUrl, { method: "POST", body: "hello" }]],
    ["JSON of another kind", [chatUrl, post([large])]],
    ["JSON without messages", [chatUrl, post({ model: "gpt-4o", prompt: "x" })]],
    ["messages of a chat app of one's own", ["https://x.example/api/messages", post({ messages: [{ text: "hi" }] })]],
    ["a form", [chatUrl, { method: "POST", body: new URLSearchParams({ messages: "[]" }) }]],
    ["a stream as a body", [chatUrl, { method: "POST", body: new ReadableStream(), duplex: "half" }]],
    ["compressed bytes", [chatUrl, { method: "POST", body: new Uint8Array([31, 139, 8, 0]) }]],
    ["a body that is signed", [chatUrl, post(large, { authorization: "AWS4-HMAC-SHA256 Credential=x" })]],
    ["no URL", ["http://", post(request)]],
    ["nothing at all", []],
    ["odd arguments", [null, null]],
    ["headers that are none", [chatUrl, { ...post(large), headers: { "bad header": "x" } }]],
  ])("%s", async (_, args) => {
    const promise = Promise.resolve(new Response("ok"));
    let seen: any[] | undefined;
    const wrapped = withCompaction((...args: any[]) => ((seen = args), promise), { model });
    expect(wrapped(...args)).toBe(promise);
    expect(seen!.length).toBe(args.length);
    args.forEach((arg, at) => expect(seen![at]).toBe(arg));
  });

  test("below the threshold: the very arguments, more of them, too", async () => {
    const { fetch, got } = upstream(json(chatReply()));
    const init = post(small);
    const more = { of: "a kind" };
    await (withCompaction(fetch, { model }) as any)(chatUrl, init, more);
    expect(got[0]!.args).toHaveLength(3);
    [chatUrl, init, more].forEach((arg, at) => expect(got[0]!.args[at]).toBe(arg));
  });

  test("a body that is used up, or in use: `fetch` itself says so", async () => {
    const used = new Request(chatUrl, post(large));
    await used.text();
    const locked = new Response("{}").body!;
    locked.getReader();
    const held = new Request(chatUrl, post(large));
    held.body!.getReader();
    const moved = new ArrayBuffer(8);
    structuredClone(moved, { transfer: [moved] });
    const promise = Promise.resolve(new Response("ok"));
    const wrapped = withCompaction((..._: any[]) => promise, { model });
    const bodies = [locked, moved].map((body) => [chatUrl, { ...post(large), body }]);
    for (const args of [[used], [chatUrl, used], [held], [chatUrl, held], ...bodies]) expect(wrapped(...args)).toBe(promise);
  });

  test("a stream and a Request beside an address: word for word", async () => {
    const { fetch, got } = upstream(json(chatReply()));
    const wrapped = withCompaction(fetch, { model });
    const headers = { "content-type": "application/json" };
    const bodies = [JSON.stringify(small), "[1]", "no JSON"];
    for (const body of bodies) {
      await wrapped(chatUrl, { method: "POST", body: new Response(body).body, duplex: "half", headers } as RequestInit);
      await wrapped(chatUrl, new Request("https://worker.example/", { method: "POST", body, headers }));
    }
    expect(got.map(({ text }) => text)).toEqual(bodies.flatMap((body) => [body, body]));
  });

  test("where the options say `false`, also later", async () => {
    const { fetch, got } = upstream(json(chatReply()));
    const init = post(large);
    const seen: any[] = [];
    const wrapped = withCompaction(fetch, async (asked) => (seen.push(asked), asked.headers.get("x-plain") ? false : { model }));
    await wrapped(chatUrl, { ...init, headers: { ...init.headers, "x-plain": "1" } });
    await wrapped(chatUrl, init);
    expect(got.map(({ body }) => body.messages.length < large.messages.length)).toEqual([false, true]);
    expect(seen[1]).toMatchObject({ url: chatUrl, body: large, format: "openai-chat" });
  });

  test("a model that nobody knows, a history that nobody can mend", async () => {
    const { fetch, got } = upstream(json(chatReply()));
    const unknown = post({ ...large, model: "no-such-model-9000" });
    const broken = post({ ...large, messages: [...large.messages, { role: "wizard", content: "?" }] });
    for (const init of [unknown, broken]) await withCompaction(fetch)(chatUrl, init);
    expect(got.map(({ args }) => args[1])).toEqual([unknown, broken]);
    expect(got[0]!.args[1]).toBe(unknown);
  });
});

test("Azure names the model in the path: known ones are compacted at once, of others the window is learnt", async () => {
  const deployment = (name: string): string => `https://mine.openai.azure.com/openai/deployments/${name}/chat/completions?api-version=2024-10-21`;
  const { model: _, ...request } = chatHistory(60);
  const { fetch, got } = upstream(({ text }) => (text.length > 40_000 ? chatTooLong(10_000, Math.round(text.length / 4)) : json(chatReply())));
  const wrapped = withCompaction(fetch);
  expect((await wrapped(deployment("gpt-3.5-turbo"), post({ ...request, messages: [...request.messages, ...request.messages.slice(1)] }))).status).toBe(200);
  for (let time = 0; time < 2; time++) expect((await wrapped(deployment("our%20chat"), post(request))).status).toBe(200);
  // The second was refused once; what it told holds for that deployment.
  expect(got.map(({ url, text }) => [url.includes("our%20chat"), text.length > 40_000])).toEqual([[false, false], [true, true], [true, false], [true, false]]);
  for (const { body } of got) expect(body.model).toBeUndefined();
});

describe("is compacted", () => {
  const bodies: [string, (text: string) => [any, any?]][] = [
    ["a text", (body) => [chatUrl, { method: "POST", body }]],
    ["a URL object and a path with a slash and a query", (body) => [new URL(`${chatUrl}/?api-version=1`), { method: "post", body }]],
    ["bytes", (body) => [chatUrl, { method: "POST", body: new TextEncoder().encode(body) }]],
    ["a buffer", (body) => [chatUrl, { method: "POST", body: new TextEncoder().encode(body).buffer }]],
    ["a Blob", (body) => [chatUrl, { method: "POST", body: new Blob([body], { type: "application/json" }) }]],
    ["a Request", (body) => [new Request(chatUrl, { method: "POST", body, headers: { "x-mine": "1" } })]],
    ["a Request and headers", (body) => [new Request(chatUrl, { method: "POST", body }), { headers: { "x-mine": "1", "content-length": "9" } }]],
    ["an address and a Request", (body) => [chatUrl, new Request("https://worker.example/", { method: "POST", body, headers: { "x-mine": "1", "content-length": "9" } })]],
    ["JSON as a stream", (body) => [chatUrl, { method: "POST", body: new Response(body).body, duplex: "half", headers: { "x-mine": "1", "content-type": "application/json" } }]],
    ["a Request that another body replaces", (body) => [new Request(chatUrl, { method: "POST", body: "no" }), { body }]],
  ];
  test.each(bodies)("%s", async (_, args) => {
    const { fetch, got } = upstream(json(chatReply()));
    const [input, init] = args(JSON.stringify(large));
    const answer = await withCompaction(fetch, { model })(input, init);
    expect(await answer.json()).toEqual(chatReply());
    expect(got).toHaveLength(1);
    await expectFits(got[0]!.body);
    if (new Headers(init?.headers).has("x-mine") || (input instanceof Request && input.headers.has("x-mine"))) expect(got[0]!.headers.get("x-mine")).toBe("1");
  });

  test("Anthropic's, at any host and by its path", async () => {
    const { fetch, got } = upstream(json({}));
    const model = { id: "claude-sonnet-4-5", window: 16_000 };
    await withCompaction(fetch, { model })("https://gateway.example/anthropic/v1/messages?beta=true", post(anthropicHistory(60)));
    await expectFits(got[0]!.body, model);
  });

  test.each<[string, () => any]>([
    ["Headers", () => new Headers({ authorization: "Bearer k", "Content-Length": "123456" })],
    ["pairs", () => [["Authorization", "Bearer k"], ["Content-Length", "123456"]]],
    ["an object", () => ({ Authorization: "Bearer k", "Content-Length": "123456" })],
  ])("with headers as %s: all stay but the length, and the caller's own are as they were", async (_, headers) => {
    const { fetch, got } = upstream(json(chatReply()));
    const init = { method: "POST", headers: headers(), body: JSON.stringify(large), cf: { cacheTtl: 5 } };
    await withCompaction(fetch, { model })(chatUrl, init);
    expect(got[0]!.headers.get("authorization")).toBe("Bearer k");
    expect(new Headers(got[0]!.args[1].headers).has("content-length")).toBe(false);
    expect(got[0]!.args[1]).toMatchObject({ method: "POST", cf: { cacheTtl: 5 } });
    expect(init).toEqual({ method: "POST", headers: headers(), body: JSON.stringify(large), cf: { cacheTtl: 5 } });
  });

  test("over a real connection, with the length it has now", async () => {
    const seen: { length: string | undefined; bytes: number }[] = [];
    const server = createServer((request, response) => {
      let bytes = 0;
      request.on("data", (chunk: Buffer) => (bytes += chunk.length));
      request.on("end", () => {
        seen.push({ length: request.headers["content-length"], bytes });
        response.setHeader("content-type", "application/json").end(JSON.stringify(chatReply()));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`;
    try {
      const text = JSON.stringify(large);
      await withCompaction(fetch, { model })(url, post(large, { "content-length": `${text.length}` }));
      await withCompaction(fetch, { model })(new Request(url, { method: "POST", body: text }));
    } finally {
      server.close();
    }
    expect(seen).toEqual(Array(2).fill({ length: `${seen[0]!.bytes}`, bytes: seen[0]!.bytes }));
    expect(seen[0]!.bytes).toBeLessThan(JSON.stringify(large).length / 2);
  });
});

test("what is no fetch is refused", () => {
  expect(() => withCompaction(undefined as any)).toThrow(OptionError);
});

test("fetch is called as a function: a browser's own refuses to be a method", async () => {
  const seen: unknown[] = [];
  const own = async function (this: unknown): Promise<Response> {
    seen.push(this);
    return json(chatReply());
  };
  const holder = { fetch: withCompaction(own, { model }) as typeof fetch };
  for (const body of [large, small]) await holder.fetch(chatUrl, post(body));
  await holder.fetch("https://x.example/");
  expect(seen).toEqual([undefined, undefined, undefined]);
});

test("what a fetch carries is carried on", () => {
  const preconnect = (): void => {};
  expect(withCompaction(Object.assign(async () => new Response(), { preconnect })).preconnect).toBe(preconnect);
});

test("a request that says more output than the window holds is no fault: hosts take it for no limit", async () => {
  const { fetch, got } = upstream(json(chatReply()));
  await withCompaction(fetch, { model })(chatUrl, post({ ...small, max_completion_tokens: 20_000 }));
  expect(got[0]!.body).toEqual({ ...small, max_completion_tokens: 20_000 });
});

test("a request with wrong options is refused once, in words", async () => {
  const { fetch, got } = upstream(json(chatReply()));
  const answer = await withCompaction(fetch, { threshold: 7 })(messagesUrl, post(anthropicHistory(2)));
  expect(got).toHaveLength(0);
  expect([answer.status, answer.headers.get("x-should-retry")]).toEqual([400, "false"]);
  expect(await answer.json()).toMatchObject({ type: "error", error: { type: "invalid_request_error", message: expect.stringMatching(/threshold/) } });
});
