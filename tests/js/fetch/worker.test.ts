/** In Cloudflare's own runtime: a Worker that forwards requests through the wrapper, with its own `fetch`, `Request` and streams. */
import { writeFileSync } from "node:fs";
import { request as ask } from "node:http";
import { join } from "node:path";
import { type Miniflare, Response } from "miniflare";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { chatHistory } from "../support/history.js";
import { install, workshop } from "../support/consumer.js";
import { bundle, workerd } from "../support/worker.js";
import { data } from "./upstream.js";

const shop = workshop();
const worker = `
import { withCompaction } from "palimpsest/fetch";

const heard = [];
const send = withCompaction(fetch, { onAnswer: ({ message, usage }) => heard.push({ message, usage }) });
const retell = withCompaction(fetch, { summarize: "same-model", rungs: ["summary"], model: { id: "gpt-4o", window: 8000 } });

export default {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === "/heard") return Response.json(heard);
    const url = (request.headers.get("x-host") ?? "https://provider.example") + pathname;
    switch (request.headers.get("x-as")) {
      case "story": return retell(new Request(url, request));
      case "init": return send(url, request);
      case "stream": return send(url, { method: request.method, headers: request.headers, body: request.body });
      default: return send(new Request(url, request));
    }
  },
};`;

interface Asked {
  bytes: number;
  key: string | null;
  body: any;
}
const asked: Asked[] = [];
let runtime: Miniflare;

const isOfNotes = (text: string): boolean => text.includes("You keep the notes");
/** How requests for a summary are answered. */
let retold: () => Promise<Response>;

/** Takes a third of what the model's name promises. */
const LIMIT = 150_000;

beforeAll(async () => {
  install(shop);
  writeFileSync(join(shop, "worker.js"), worker);
  await bundle(shop, "worker.js");
  runtime = workerd(shop, async (request) => {
    const text = await request.text();
    const body = text === "" ? undefined : JSON.parse(text);
    asked.push({ bytes: text.length, key: request.headers.get("authorization"), body });
    if (body === undefined) return "untouched";
    if (isOfNotes(text)) return retold();
    const headers = { "content-type": body.stream ? "text/event-stream" : "application/json" };
    if (text.length > LIMIT) {
      const error = { message: `This model's maximum context length is ${LIMIT / 4} tokens. However, your messages resulted in ${text.length / 4} tokens.`, code: "context_length_exceeded" };
      return body.stream ? new Response(data({ error }), { headers }) : new Response(JSON.stringify({ error }), { status: 400, headers });
    }
    const usage = { prompt_tokens: Math.round(text.length / 4), completion_tokens: 1 };
    if (!body.stream) return new Response(JSON.stringify({ choices: [{ message: { role: "assistant", content: "Whole." }, finish_reason: "stop" }], usage }), { headers });
    const events = ["Stre", "amed."].map((content) => data({ choices: [{ index: 0, delta: { content } }] }));
    return new Response([...events, data({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }), data({ choices: [], usage }), data("[DONE]")].join(""), { headers });
  });
});
afterAll(() => runtime?.dispose());

const ways = ["request", "init", "stream"].flatMap((as) => [false, true].map((stream) => [as, stream] as const));
test.each(ways)("recovers, hands on and hears; as a %s, streamed: %s", async (as, stream) => {
  asked.length = 0;
  const request = { ...chatHistory(80), model: stream ? "gpt-4o" : "gpt-4o-mini", stream, user: as };
  // Of each model at each host the window is learnt once.
  const host = `https://${as}.example`;
  const headers = { "x-as": as, "x-host": host, authorization: "Bearer k", "content-type": "application/json" };
  const answer = await runtime.dispatchFetch("https://worker.example/v1/chat/completions", { method: "POST", headers, body: JSON.stringify(request) });
  expect(answer.status).toBe(200);
  const text = await answer.text();
  if (stream) expect(text).toMatch(/^data: [^]+"Stre"[^]+"amed\."[^]+data: \[DONE\]\n\n$/);
  else expect(JSON.parse(text).choices[0].message.content).toBe("Whole.");
  expect(asked.map(({ key }) => key)).toEqual(["Bearer k", "Bearer k"]);
  expect(asked[0]!.body).toEqual(request);
  expect(asked[1]!.bytes).toBeLessThan(LIMIT);
  const heard: any = await (await runtime.dispatchFetch("https://worker.example/heard")).json();
  expect(heard.at(-1)).toEqual({ message: { role: "assistant", content: stream ? "Streamed." : "Whole." }, usage: { prompt_tokens: expect.any(Number), completion_tokens: 1 } });
});

test("leaves other requests alone", async () => {
  asked.length = 0;
  expect(await (await runtime.dispatchFetch("https://worker.example/v1/models")).text()).toBe("untouched");
  expect(asked).toHaveLength(1);
});

test("a client that leaves while a summary is written keeps nobody else waiting", async () => {
  asked.length = 0;
  const messages = Array.from({ length: 45 }, (_, at) => ({ role: at % 2 ? "assistant" : "user", content: `${at} ${"word ".repeat(150)}` }));
  const body = JSON.stringify({ model: "gpt-4o", messages });
  const headers = { "x-as": "story", "content-type": "application/json" };
  retold = () => new Promise(() => {});
  const first = ask(new URL("/v1/chat/completions", await runtime.ready), { method: "POST", headers });
  first.on("error", () => {}).end(body);
  await vi.waitUntil(() => asked.length > 0, 10_000);
  first.socket!.resetAndDestroy();
  const choices = [{ message: { role: "assistant", content: "## Key decisions\n- go on\n## Context\n- a story\n" } }];
  retold = async () => new Response(JSON.stringify({ choices }), { headers: { "content-type": "application/json" } });
  const answer = await runtime.dispatchFetch("https://worker.example/v1/chat/completions", { method: "POST", headers, body });
  expect(answer.status).toBe(200);
  const sent = JSON.stringify(asked.at(-1)!.body);
  expect([isOfNotes(sent), sent.includes("a story")]).toEqual([false, true]);
});
