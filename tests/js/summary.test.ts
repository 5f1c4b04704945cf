/** The rung "summary": who is asked, what is taken of the answer, what is remembered; and that a writer who fails costs nothing. */
import { describe, expect, test } from "vitest";
import { compact, type Memo, type SummaryRequest } from "../../pkg/entry/node.js";

const SAID = "## Key decisions\n- go on\n## Actions\n- [ ] finish\n## Context\n- a story";
const model = { id: "reader", window: 4000, maxOutput: 500 };
const rungs = ["elide", "summary", "window"] as const;

function history(turns: number): any[] {
  const messages: any[] = [{ role: "user", content: "Port src/parse.rs." }];
  for (let n = 0; n < turns; n++) messages.push({ role: "assistant", content: `step ${n}: ${"word ".repeat(60)}` }, { role: "user", content: `go on ${n}` });
  return messages;
}

function memory(): Memo & { all: Map<string, string> } {
  const all = new Map<string, string>();
  return { all, get: async (key) => all.get(key), put: async (key, value) => void all.set(key, value) };
}

const request = { model: "gpt-4o", tools: [{ type: "function", function: { name: "run", parameters: {} } }], messages: history(60) };
const options = { model, rungs: [...rungs] };
const told = (report: any) => report.rungs.find(({ rung }: any) => rung === "summary");

test("the request is in the caller's format, without tools, and the prompt says the same", async () => {
  const asked: SummaryRequest[] = [];
  const done: number[] = [];
  const { body, report } = await compact(request, {
    ...options,
    summarize: async (wanted) => (asked.push(wanted), SAID),
    onProgress: ({ rung, done: so }) => void (rung === "summary" && done.push(so)),
  });
  expect(asked.length).toBeGreaterThan(0);
  for (const { body, prompt, references, part, parts } of asked) {
    expect(Object.keys(body)).toEqual(["model", "messages"]);
    expect(body.model).toBe("gpt-4o");
    expect(body.messages.map(({ role }: any) => role)).toEqual(["system", "user"]);
    expect(prompt).toBe(body.messages.map(({ content }: any) => content).join("\n\n"));
    for (const reference of references) expect(prompt).toContain(reference);
    expect(part).toBeLessThanOrEqual(parts);
  }
  expect(done).toContain(0);
  expect(told(report)).toMatchObject({ ran: true, code: "ran" });
  const [record] = report.records.filter(({ rung }) => rung === "summary");
  expect(record!.summary).toMatchObject({ decisions: ["go on"], actions: [{ text: "finish", done: false }], context: ["a story"], questions: [], generation: 1 });
  expect((body as any).messages.some(({ content }: any) => String(content).includes(record!.summary!.markdown))).toBe(true);
});

test("another writer is asked by its name, and Anthropic's words have their limit", async () => {
  const asked: any[] = [];
  const input = { model: "claude-sonnet-4-5", max_tokens: 400, system: "Be brief.", messages: history(60) };
  await compact(input, { model: { ...model, id: "claude-x" }, rungs: [...rungs], format: "anthropic", summaryModel: { id: "small", window: 100_000, maxOutput: 900 }, summarize: async ({ body }) => (asked.push(body), SAID) });
  expect(asked[0]).toMatchObject({ model: "small", max_tokens: expect.any(Number), system: expect.any(String), messages: [{ role: "user" }] });
  expect(asked[0].max_tokens).toBeLessThanOrEqual(900);
});

describe("the words are taken out of", () => {
  const replies: [string, unknown][] = [
    ["a text", SAID],
    ["Chat Completions", { choices: [{ message: { role: "assistant", content: SAID } }] }],
    ["Messages", { content: [{ type: "thinking", thinking: "## Context\n- not this" }, { type: "text", text: SAID }] }],
    ["Responses", { output: [{ type: "reasoning", content: [{ text: "no" }] }, { type: "message", content: [{ type: "output_text", text: SAID }] }] }],
    ["Responses, put together", { output_text: SAID }],
    ["the AI SDK", { text: SAID, usage: {} }],
    ["Gemini", { candidates: [{ content: { parts: [{ thought: true, text: "no" }, { text: SAID }] } }] }],
  ];
  test.each(replies)("%s", async (_, reply) => {
    const { report } = await compact(request, { ...options, summarize: async () => reply as object });
    expect(told(report).code).toBe("ran");
    expect(report.records.at(-1)!.summary!.decisions).toEqual(["go on"]);
  });
});

describe("of an answer that ended where its limit was the unfinished line goes", () => {
  const cut = "## Key decisions\n- go on\n## Context\n- never push to";
  const replies: [string, object][] = [
    ["Chat Completions", { choices: [{ message: { content: cut }, finish_reason: "length" }] }],
    ["Messages", { content: [{ type: "text", text: cut }], stop_reason: "max_tokens" }],
    ["Responses", { status: "incomplete", output_text: cut }],
    ["the AI SDK", { text: cut, finishReason: "length" }],
    ["Gemini", { candidates: [{ content: { parts: [{ text: cut }] }, finishReason: "MAX_TOKENS" }] }],
  ];
  test.each(replies)("%s", async (_, reply) => {
    const { report } = await compact(request, { ...options, summarize: async () => reply });
    expect(report.records.at(-1)!.summary).toMatchObject({ decisions: ["go on"], context: [] });
  });
  test("and of one line nothing is left", async () => {
    const { report } = await compact(request, { ...options, summarize: async () => ({ text: "## Key decisions", finishReason: "length" }) });
    expect(told(report).code).toBe("summary-rejected");
  });
});

describe("a writer costs nothing who", () => {
  const without = compact(request, options);
  const failing: [string, () => Promise<any>, string][] = [
    ["throws", () => Promise.reject(new Error("the line is dead")), "summary-failed"],
    ["throws what is no error", () => Promise.reject("dead"), "summary-failed"],
    ["gives up in time", () => Promise.reject(new DOMException("too slow", "TimeoutError")), "aborted"],
    ["says nothing", async () => undefined, "summary-rejected"],
    ["refuses", async () => "I'm sorry, I can't help with that.", "summary-rejected"],
    ["calls a tool", async () => ({ choices: [{ message: { content: null, tool_calls: [] } }] }), "summary-rejected"],
    ["answers with an error's body", async () => ({ error: { message: "overloaded" } }), "summary-rejected"],
    ["says ten times too much", async () => `## Context\n- ${"and so on ".repeat(40_000)}`, "summary-rejected"],
  ];
  test.each(failing)("%s", async (_, summarize, code) => {
    const memo = memory();
    const { body, report } = await compact(request, { ...options, memo, summarize });
    expect(told(report)).toMatchObject({ ran: false, code });
    expect(told(report).reason).not.toBe("");
    expect(body).toEqual((await without).body);
    expect(memo.all.size).toBe(0);
  });
});

test("a writer who hangs is left when the signal says so, and the writer hears of it", async () => {
  const controller = new AbortController();
  let heard = false;
  const summarize = ({ signal }: SummaryRequest): Promise<string> =>
    new Promise(() => {
      signal!.addEventListener("abort", () => (heard = true));
      setTimeout(() => controller.abort(new Error("enough")), 10);
    });
  await expect(compact(request, { ...options, summarize, signal: controller.signal })).rejects.toThrow("enough");
  expect(heard).toBe(true);
});

describe("a memo", () => {
  test("keeps a summary from being made twice, and what was sent from changing", async () => {
    const memo = memory();
    let times = 0;
    const summarize = async (): Promise<string> => `${SAID} ${times++}`;
    const first = await compact(request, { ...options, memo, summarize });
    const made = times;
    const second = await compact(structuredClone(request), { ...options, memo, summarize });
    expect(times).toBe(made);
    expect(second.body).toEqual(first.body);
    const grown = { ...request, messages: [...request.messages, { role: "assistant", content: "ok" }, { role: "user", content: "and now" }] };
    const third = await compact(grown, { ...options, memo, summarize });
    expect(times).toBe(made);
    expect((third.body as any).messages.slice(0, (first.body as any).messages.length)).toEqual((first.body as any).messages);
  });

  test("that fails, or holds something else, remembers nothing", async () => {
    for (const held of ["", "nonsense", "palimpsest summary 9, generation 1\n## Context\n- of a later version"]) {
      const { report } = await compact(request, { ...options, memo: { get: async () => held, put: async () => Promise.reject(new Error("full")) }, summarize: async () => SAID });
      expect(told(report).code).toBe("ran");
      expect(report.records.at(-1)!.summary!.context).toEqual(["a story"]);
    }
    const broken = { get: () => Promise.reject(new Error("down")), put: async () => {} };
    expect(told((await compact(request, { ...options, memo: broken, summarize: async () => SAID })).report).code).toBe("ran");
  });
});

test("its own output, fed back, is left alone until the range around it is given up, and then updated", async () => {
  const { body } = await compact(request, { ...options, summarize: async () => SAID });
  const again = await compact(body, { ...options, summarize: async () => Promise.reject(new Error("asked")) });
  expect(again.body).toBe(body);
  const asked: SummaryRequest[] = [];
  const grown = { ...(body as any), messages: [...(body as any).messages, ...history(60)] };
  const { report } = await compact(grown, { ...options, summarize: async (wanted) => (asked.push(wanted), SAID) });
  expect(asked[0]!.previous).toMatchObject({ decisions: ["go on"], generation: 1 });
  expect(report.records.at(-1)!.summary!.generation).toBe(2);
});
