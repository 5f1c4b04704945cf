/** What may be chosen, what is told, what is kept, and what never is. */
import { describe, expect, test, vi } from "vitest";
import { CannotFitError, compact, InvalidHistoryError, measure, OptionError, PalimpsestError, type Format, type Memo, type Report } from "../../../pkg/entry/node.js";
import { toResponse, withCompaction, type Answer } from "../../../pkg/fetch.js";
import { memoryMemo, Memory, windowOf, withWindow } from "../../../pkg/fetch/memory.js";
import { sameModel } from "../../../pkg/fetch/summarise.js";
import { recognise } from "../../../pkg/fetch/recognise.js";
import { anthropicHistory, chatHistory } from "../support/history.js";
import { anthropicReply, chatReply, chatTooLong, chatUrl, json, messagesUrl, post, upstream } from "./upstream.js";

const large = chatHistory(60);
const model = { id: "gpt-4o", window: 16_000 };

describe("onCompact and onAnswer", () => {
  test("are told of what was changed, and of the answer to what was asked", async () => {
    const reports: Report[] = [];
    const answers: Answer[] = [];
    const { fetch } = upstream(json(chatReply()), json(anthropicReply()));
    const wrapped = withCompaction(fetch, { onCompact: (report) => void reports.push(report), onAnswer: (answer) => void answers.push(answer) });
    await wrapped(chatUrl, post(chatHistory(1)));
    expect(reports).toEqual([]);
    await wrapped(messagesUrl, post({ ...anthropicHistory(60, 400) }));
    expect(reports).toHaveLength(1);
    expect(reports[0]).toMatchObject({ model: "claude-sonnet-4-5", fits: true });
    expect(answers).toEqual([
      { message: { role: "assistant", content: "Yes." }, usage: { prompt_tokens: 100, completion_tokens: 2, total_tokens: 102 }, request: chatHistory(1) },
      { message: { role: "assistant", content: [{ type: "text", text: "Yes." }] }, usage: { input_tokens: 100, output_tokens: 2 }, request: anthropicHistory(60, 400) },
    ]);
  });

  test("may throw, also later", async () => {
    const { fetch } = upstream(json(chatReply()));
    const unheard: unknown[] = [];
    const hear = (reason: unknown): void => void unheard.push(reason);
    process.on("unhandledRejection", hear);
    const trap = (): never => { throw new Error("mine"); };
    const later = async (): Promise<void> => { throw new Error("mine"); };
    for (const on of [trap, later]) expect((await withCompaction(fetch, { model, onCompact: on, onAnswer: on })(chatUrl, post(large))).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off("unhandledRejection", hear);
    expect(unheard).toEqual([]);
  });
});

test("options by request: awaited, and what they throw comes out", async () => {
  const { fetch, got } = upstream(json(chatReply()));
  const wrapped = withCompaction(fetch, async ({ body }) => ({ model: { id: body.model, window: body.user === "small" ? 12_000 : 24_000 } }));
  for (const user of ["small", "large"]) await wrapped(chatUrl, post({ ...large, user }));
  const [small, larger] = await Promise.all(got.map(async ({ body }) => (await measure(body)).tokens));
  expect(small).toBeLessThan(larger!);
  // Who says nothing of a request wants nothing else.
  expect((await withCompaction(fetch, (() => undefined) as any)(chatUrl, post(large))).status).toBe(200);
  const fault = new Error("no");
  await expect(withCompaction(fetch, () => Promise.reject(fault))(chatUrl, post(large))).rejects.toBe(fault);
});

test.each(["same_model", 7, {}])("`summarize: %j` is refused, and nothing is sent", async (summarize: any) => {
  const { fetch, got } = upstream(json(chatReply()));
  const answer = await withCompaction(fetch, { model, summarize })(chatUrl, post(large));
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("summarize");
  expect(got).toHaveLength(0);
});

describe("aborting", () => {
  test("an aborted request is never sent", async () => {
    const { fetch, got } = upstream(json(chatReply()));
    const reason = new Error("enough");
    await expect(withCompaction(fetch, { model })(chatUrl, { ...post(large), signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const { signal } = new AbortController();
    const options = { model, signal: AbortSignal.abort(reason) };
    for (const init of [post(large), { ...post(large), signal }]) await expect(withCompaction(fetch, options)(chatUrl, init)).rejects.toBe(reason);
    expect(got).toHaveLength(0);
  });

  test("a body that stalls hears it", async () => {
    const { fetch, got } = upstream(json(chatReply()));
    const controller = new AbortController();
    const reason = new Error("enough");
    const headers = { "content-type": "application/json" };
    const { signal } = controller;
    const stalled = (): object => ({ method: "POST", headers, body: new ReadableStream(), duplex: "half" });
    const sent = [withCompaction(fetch, { model })(chatUrl, { ...stalled(), signal }), withCompaction(fetch, { model, signal })(chatUrl, stalled())];
    controller.abort(reason);
    for (const one of sent) await expect(one).rejects.toBe(reason);
    expect(got).toHaveLength(0);
  });

  test("between two tries it ends there", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const { fetch, got } = upstream(() => (controller.abort(reason), chatTooLong(8000, 20_000)));
    await expect(withCompaction(fetch, { model })(chatUrl, { ...post(large), signal: controller.signal })).rejects.toBe(reason);
    expect(got).toHaveLength(1);
  });

  test("a signal in the options ends what is under way, too: the wait, the stream, a summary", async () => {
    const alive: unknown[] = []; // of a Request that nobody holds the signal never tells
    const endless = async (...[input, init]: any[]): Promise<Response> => {
      alive.push(input, init);
      const signal: AbortSignal = init?.signal ?? input.signal;
      const ended = new Promise<never>((_, reject) => {
        const end = (): void => reject(signal.reason as Error);
        if (signal.aborted) end();
        else signal.addEventListener("abort", end);
      });
      if (!String(input).includes("stream")) return ended;
      const body = new ReadableStream({
        start(stream) {
          stream.enqueue(new TextEncoder().encode("data: {}\n\n"));
          ended.catch((reason) => stream.error(reason));
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    };
    const reason = new Error("enough");
    const small = chatHistory(1);
    const asked: any[][] = [[chatUrl, post(small)], [chatUrl, post(large)], [new Request(chatUrl, post(small))], [chatUrl, new Request(chatUrl, post(small))], [chatUrl, new Request(chatUrl, post(large))]];
    for (const args of asked) {
      const controller = new AbortController();
      const sent = withCompaction(endless, { model, signal: controller.signal })(...args);
      setTimeout(() => controller.abort(reason), 20);
      await expect(sent).rejects.toBe(reason);
    }
    const controller = new AbortController();
    const answer = await withCompaction(endless, { model, signal: controller.signal })(`${chatUrl.replace("provider", "stream")}`, post(small));
    setTimeout(() => controller.abort(reason), 20);
    await expect(answer.text()).rejects.toBe(reason);
  });

  test("the signal goes on to fetch as it was", async () => {
    const { fetch, got } = upstream(json(chatReply()));
    const { signal } = new AbortController();
    await withCompaction(fetch, { model })(chatUrl, { ...post(large), signal });
    expect(got[0]!.args[1].signal).toBe(signal);
  });
});

describe("secrets", () => {
  const secret = "sk-very-secret-7f3a";
  test("no key or header is kept, told or logged", async () => {
    const logs = (["log", "info", "warn", "error", "debug"] as const).map((name) => vi.spyOn(console, name));
    const kept: unknown[] = [];
    const memo: Memo = { get: async (key) => void kept.push(key), put: async (key, value) => void kept.push(key, value) };
    const told: unknown[] = [];
    const { fetch } = upstream(chatTooLong(8000, 20_000), json({ error: { message: "no" } }, 500), json(chatReply()));
    const wrapped = withCompaction(fetch, { model, memo, summarize: "same-model", onCompact: (report) => void told.push(report), onAnswer: (answer) => void told.push(answer) });
    const init = post(large, { authorization: `Bearer ${secret}`, "x-api-key": secret });
    for (let time = 0; time < 3; time++) told.push(await (await wrapped(`${chatUrl}?key=${secret}`, init)).text());
    expect(told.length).toBeGreaterThan(5);
    expect(JSON.stringify([kept, told])).not.toContain(secret);
    for (const log of logs) expect(log).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  test("an error of anyone else is not repeated", async () => {
    const answer = toResponse(new Error(`Incorrect API key provided: ${secret}`), "openai-chat");
    expect([answer.status, (await answer.text()).includes(secret)]).toEqual([500, false]);
  });
});

test("many requests at once, of several models, do not meet", async () => {
  const slow = upstream(async ({ body }) => {
    await new Promise((resolve) => setTimeout(resolve, 5 * (body.messages.length % 7)));
    const input = Math.round(JSON.stringify(body).length / 3.5);
    const limit = body.model === "gpt-4o" ? 12_000 : 24_000;
    return input > limit ? chatTooLong(limit, input) : json(chatReply(`${body.model} ${body.user}`, { prompt_tokens: input }));
  });
  const wrapped = withCompaction(slow.fetch);
  const models = ["gpt-4o", "gpt-4.1"];
  const asked = Array.from({ length: 24 }, (_, at) => ({ ...chatHistory(10 + 2 * at), model: models[at % 2], user: `${at}` }));
  const answers = await Promise.all(asked.map(async (request) => (await (await wrapped(chatUrl, post(request))).json()).choices?.[0].message.content));
  expect(answers).toEqual(asked.map(({ model, user }) => `${model} ${user}`));
  // And each has learnt its own window.
  slow.got.length = 0;
  for (const request of asked) await wrapped(chatUrl, post(request));
  expect(slow.got).toHaveLength(asked.length);
});

describe("same-model", () => {
  const asked = (args: any[]): any => recognise(args);
  const summary = { body: { model: "gpt-4o", messages: [{ role: "user", content: "Sum up." }], stream: true, stream_options: {}, tools: [{}], tool_choice: "auto", max_completion_tokens: 9 }, prompt: "Sum up.", references: [], part: 1, parts: 1 };

  test("asks the same endpoint with the same headers, whole and without tools", async () => {
    const { fetch, got } = upstream(json(chatReply("## Key decisions")));
    const init = post(large, { authorization: "Bearer k", "content-length": "9", "idempotency-key": "once" });
    const { signal } = new AbortController();
    const reply = await sameModel(fetch, asked([`${chatUrl}?v=1`, init]), { model: "gpt-4o", temperature: 1 })({ ...summary, signal });
    expect(reply).toEqual(chatReply("## Key decisions"));
    expect(got[0]).toMatchObject({ url: `${chatUrl}?v=1`, body: { model: "gpt-4o", messages: summary.body.messages, max_completion_tokens: 9 } });
    expect(Object.keys(got[0]!.body).sort()).toEqual(["max_completion_tokens", "messages", "model"]);
    expect([got[0]!.headers.get("authorization"), got[0]!.headers.get("idempotency-key")]).toEqual(["Bearer k", null]);
    expect(got[0]!.args[1].signal).toBe(signal);
  });

  test("works with a Request, and takes the model of the request where the summary names none", async () => {
    const { fetch, got } = upstream(json(anthropicReply()));
    const request = new Request(messagesUrl, { ...post(anthropicHistory(1)), headers: { "x-api-key": "k" } });
    const { model: _, ...body } = summary.body;
    await sameModel(fetch, asked([request]), { model: "claude-sonnet-4-5" })({ ...summary, body });
    expect(got[0]).toMatchObject({ url: messagesUrl, body: { model: "claude-sonnet-4-5" } });
    expect(got[0]!.headers.get("x-api-key")).toBe("k");
  });

  test("on the terms of the request: the same words must not go where those may not", async () => {
    const { fetch, got } = upstream(({ body }) => json(chatReply(JSON.stringify(body).includes("You keep the notes") ? "## Context\n- a story" : "Yes.")));
    const terms = { provider: { data_collection: "deny", order: ["ours"] }, store: false, safety_identifier: "u1", service_tier: "flex" };
    const request = { ...large, model: "gpt-4o", max_completion_tokens: 4000, ...terms, temperature: 1, n: 2, seed: 7, logprobs: true, response_format: { type: "text" } };
    await withCompaction(fetch, { model: { ...model, vision: false }, rungs: ["summary", "window"], summarize: "same-model" })(chatUrl, post(request));
    expect(got.length).toBeGreaterThan(1);
    for (const { body } of got.slice(0, -1)) {
      const { messages: _, ...beside } = body;
      // By this name thoughts count: a model that thinks gets as far as in the caller's request.
      expect(beside).toEqual({ model: "gpt-4o", max_completion_tokens: 4000, ...terms });
    }
  });

  test("fails without the provider's words, and is not tried again", async () => {
    const { fetch, got } = upstream(json({ error: { message: "key sk-1 is wrong" } }, 401));
    await expect(sameModel(fetch, asked([chatUrl, post(large)]), large)(summary)).rejects.toThrow(/^The provider answered the request for a summary with status 401\.$/);
    expect(got).toHaveLength(1);
  });
});

describe("what is kept", () => {
  test("the memo forgets what was asked for longest ago, and holds so much", async () => {
    const memo = memoryMemo();
    const part = "x".repeat(1024 * 1024);
    for (let at = 0; at < 7; at++) await memo.put(`${at}`, part);
    expect(await memo.get("0")).toBe(part);
    await memo.put("again", part.slice(0, 10));
    await memo.put("again", part.slice(0, 20));
    for (let at = 7; at < 9; at++) await memo.put(`${at}`, part);
    const kept = await Promise.all(Array.from({ length: 9 }, async (_, at) => (await memo.get(`${at}`)) !== undefined));
    expect(kept).toEqual([true, false, false, true, true, true, true, true, true]);
    expect(await memo.get("again")).toHaveLength(20);
    await memo.put("huge", "x".repeat(9 * 1024 * 1024));
    expect(await memo.get("huge")).toBeUndefined();
  });

  test("of models a few hundred", () => {
    const memory = new Memory();
    for (let at = 0; at < 300; at++) memory.of(`host ${at}`).window = at;
    expect(memory.of("host 299").window).toBe(299);
    expect(memory.of("host 0").window).toBeUndefined();
  });

  test("a calibration that trembles moves no request; one that must move it does", () => {
    const memory = new Memory();
    const report = { model: "gpt-4o", estimated: 1000, after: { tokens: 1000 } } as Report;
    const used = (tokens: number): number | undefined => (memory.charge("k", undefined, report, { prompt_tokens: tokens }), memory.of("k").used?.factor);
    const first = used(1070);
    expect(first).toBeCloseTo(1.07);
    // Around a sixteenth, where a step begins.
    for (let time = 0; time < 20; time++) expect(used(time % 2 ? 1045 : 1072)).toBe(first);
    expect(used(1400)).toBeGreaterThan(1.1);
    for (let time = 0; time < 20; time++) used(800);
    expect(memory.of("k").used?.factor).toBeLessThan(0.95);
  });

  test("a window that was guessed moves with the factor it was guessed by, one that was named does not", () => {
    const used = { factor: 2, samples: 3, model: "m" };
    expect(windowOf({ window: 9000, guessed: 1, used })).toBe(18_000);
    expect(windowOf({ window: 9000, used })).toBe(9000);
    expect(windowOf({})).toBeUndefined();
  });

  test("a learnt window takes the place of a known one, not of a smaller wish", () => {
    expect(withWindow("gpt-4", 9000)).toEqual({ id: "gpt-4", window: 9000 });
    expect(withWindow({ modelId: "gpt-4" }, 9000)).toEqual({ id: "gpt-4", window: 9000 });
    expect(withWindow({ id: "gpt-4", window: 6000, vision: false }, 9000)).toEqual({ id: "gpt-4", window: 6000, vision: false });
    expect(withWindow({ id: "gpt-4", window: 12_000 }, 9000)).toEqual({ id: "gpt-4", window: 9000 });
    expect([withWindow("gpt-4", undefined), withWindow(undefined, 9000)]).toEqual(["gpt-4", undefined]);
  });

  test("the caller's calibration is where it begins", async () => {
    const { fetch, got } = upstream(json(chatReply()));
    const size = async (factor: number): Promise<number> => {
      await withCompaction(fetch, { model, calibration: { factor, samples: 4, model: "gpt-4o" } })(chatUrl, post(large));
      return (await measure(got.pop()!.body)).tokens;
    };
    expect(await size(2)).toBeLessThan(await size(1));
  });
});

describe("toResponse", () => {
  const errors: [string, () => unknown, number][] = [
    ["cannot-fit", () => new CannotFitError("Message 3 is too large.", {} as Report, {}), 400],
    ["option", () => new OptionError("No."), 400],
    ["invalid-history", () => new InvalidHistoryError("No.", []), 400],
    ["quota", () => new PalimpsestError("quota", "No."), 500],
    ["anything", () => undefined, 500],
  ];
  test.each(errors)("%s", async (_, make, status) => {
    const type = status === 400 ? "invalid_request_error" : expect.stringMatching(/^(server|api)_error$/);
    const shapes: [Format, unknown][] = [
      ["openai-chat", { error: { message: expect.any(String), type, param: null, code: expect.any(String) } }],
      ["openai-responses", { error: { message: expect.any(String), type, param: null, code: expect.any(String) } }],
      ["anthropic", { type: "error", error: { type, message: expect.any(String) } }],
      ["gemini", { error: { code: status, message: expect.any(String), status: expect.any(String) } }],
    ];
    for (const [format, shape] of shapes) {
      const answer = toResponse(make(), format);
      expect([answer.status, answer.headers.get("x-should-retry")]).toEqual([status, "false"]);
      expect(await answer.json()).toEqual(shape);
    }
  });

  test("of a request that the package itself refused", async () => {
    const error = await compact({ model: "gpt-4o", messages: [{ role: "user", content: "word ".repeat(20_000) }] }, { model }).catch((error: unknown) => error);
    expect((await toResponse(error, "openai-chat").json()).error).toMatchObject({ code: "context_length_exceeded", message: (error as Error).message });
  });
});
