/** `summarize: "same-model"`: whole conversations with the strict provider, by a reader without eyes that retells what leaves the window. */
import { describe, expect, test } from "vitest";
import { withCompaction, type FetchOptions } from "../../../pkg/fetch.js";
import type { Memo, Report } from "../../../pkg/entry/node.js";
import { converse, generate, modelOf, sumOf, type ClientName, type Turn } from "../../provider/conversations.js";
import type { Arrived } from "../../provider/provider.js";

const SAID = "## Key decisions\n- go on\n## Actions\n- [ ] finish\n## Context\n- a story";
const asksForNotes = ({ body }: Arrived): boolean => JSON.stringify(body).includes("You keep the notes of a long conversation");
const script = generate({ exchanges: 45, seed: 11 });

interface Had {
  sum: ReturnType<typeof sumOf>;
  reports: Report[];
  asked: Turn["requests"];
  kept: Map<string, string>;
}

async function had(client: ClientName, answer: (request: Arrived) => string | undefined, options: FetchOptions = {}): Promise<Had> {
  const kept = new Map<string, string>();
  const memo: Memo = { get: async (key) => kept.get(key), put: async (key, value) => void kept.set(key, value) };
  const reports: Report[] = [];
  const model = { ...modelOf(client, 8000), vision: false };
  const wrapped = withCompaction(fetch, { model, summarize: "same-model", memo, onCompact: (report) => void reports.push(report), ...options });
  const turns = await converse(script, { client, window: 8000, fetch: wrapped, provider: { summary: { when: asksForNotes, answer } } });
  return { sum: sumOf(turns), reports, asked: turns.flatMap(({ requests }) => requests.filter(({ summary }) => summary)), kept };
}

const rungOf = (report: Report) => report.rungs.find(({ rung }) => rung === "summary")!;

describe.each(["openai", "anthropic"] as const)("%s", (client) => {
  test("what leaves the window is retold, each time from the summary before; every request is accepted", async () => {
    const bodies: object[] = [];
    const { sum, reports, asked, kept } = await had(client, ({ body }) => (bodies.push(body), SAID));
    expect(sum).toMatchObject({ answered: sum.turns, lost: 0, refused: {} });
    expect(sum.refusals).toEqual({});
    expect(asked.length).toBeGreaterThan(1);
    for (const { kind } of asked) expect(kind).toBe("ok");
    for (const body of bodies) expect(Object.keys(body)).toEqual(expect.not.arrayContaining(["tools", "tool_choice", "stream", "thinking"]));
    // Where people's words split what leaves there are several; the first is the oldest.
    const generations = reports.flatMap(({ records }) => records.find(({ summary }) => summary)?.summary?.generation ?? []);
    expect(Math.max(...generations)).toBeGreaterThan(1);
    // Also where the calibration took a step, which moves every event, one that is remembered is updated.
    const anew = generations.filter((generation, at) => at > 0 && generation < generations[at - 1]!).length;
    expect(anew).toBe(0);
    // A turn whose summary is known asks for none: there are no more of them than events.
    expect(asked.length).toBeLessThan(sum.turns / 2);
    expect(JSON.stringify([...kept])).not.toMatch(/authorization|x-api-key|sk-|Bearer/i);
  });

  test.each([
    ["is refused", undefined, "summary-failed"],
    ["is an apology", "I'm sorry, I can't help with that.", "summary-rejected"],
    ["goes on with the task", "Let me run the tests now.", "summary-rejected"],
  ])("a summary that %s costs no message", async (_, answer, code) => {
    const { sum, reports, kept } = await had(client, () => answer);
    expect(sum).toMatchObject({ answered: sum.turns, lost: 0, refused: {} });
    expect(sum.refusals["validity"]).toBeUndefined();
    expect(reports.map(rungOf).some((rung) => rung.code === code)).toBe(true);
    expect(reports.map(rungOf).every(({ ran }) => !ran)).toBe(true);
    expect(kept.size).toBe(0);
  });
});

test("an abort ends a summary that is being written, and nothing is sent", async () => {
  const controller = new AbortController();
  const seen: string[] = [];
  const stub = async (_: unknown, { body, signal }: { body: string; signal: AbortSignal }): Promise<Response> => {
    if (!body.includes("You keep the notes")) return seen.push("request"), Response.json({});
    seen.push("summary");
    setTimeout(() => controller.abort(), 5);
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
  };
  const model = { ...modelOf("openai", 8000), vision: false };
  const messages = Array.from({ length: 61 }, (_, at) => ({ role: at % 2 ? "assistant" : "user", content: `${at} ${"word ".repeat(150)}` }));
  const wrapped = withCompaction(stub as unknown as typeof fetch, { model, summarize: "same-model" });
  const sent = wrapped("https://api.openai.com/v1/chat/completions", { method: "POST", body: JSON.stringify({ model: "gpt-4o", messages }), signal: controller.signal });
  await expect(sent).rejects.toMatchObject({ name: "AbortError" });
  expect(seen).toEqual(["summary"]);
});

describe("requests that want the same summary at the same time", () => {
  const model = { ...modelOf("openai", 8000), vision: false };
  const messages = Array.from({ length: 61 }, (_, at) => ({ role: at % 2 ? "assistant" : "user", content: `${at} ${"word ".repeat(150)}` }));
  const story = { choices: [{ message: { role: "assistant", content: "## Key decisions\n- go on\n## Context\n- a story\n" } }] };
  const many = async (writer: (turn: number, signal?: AbortSignal) => Promise<Response>, signals: (AbortSignal | undefined)[] = []) => {
    const sent: string[] = [];
    let asked = 0;
    const stub = async (_: unknown, { body, signal }: { body: string; signal?: AbortSignal }): Promise<Response> => {
      if (!body.includes("You keep the notes")) return sent.push(body), Response.json({});
      return writer(asked++, signal);
    };
    const wrapped = withCompaction(stub as unknown as typeof fetch, { model, summarize: "same-model" });
    const body = JSON.stringify({ model: "gpt-4o", messages });
    const one = (_: unknown, at: number): Promise<Response> =>
      wrapped("https://api.openai.com/v1/chat/completions", { method: "POST", body, signal: signals[at] ?? null });
    const ended = await Promise.allSettled(Array.from({ length: 5 }, one));
    return { ended: ended.map(({ status }) => status), sent, asked };
  };
  const slow = async (): Promise<Response> => (await new Promise((resolve) => setTimeout(resolve, 20)), Response.json(story));

  test("have it written once", async () => {
    const { ended, sent, asked } = await many(slow);
    expect({ ended, asked }).toEqual({ ended: Array(5).fill("fulfilled"), asked: 1 });
    expect(sent).toHaveLength(5);
    for (const body of sent) expect(body).toContain("a story");
  });

  test("ask for themselves when the one they waited for failed, or was given up", async () => {
    const failed = await many((turn) => (turn === 0 ? Promise.reject(new Error("the line is dead")) : slow()));
    expect(failed.ended).toEqual(Array(5).fill("fulfilled"));
    expect(failed.sent.filter((body) => body.includes("a story"))).toHaveLength(4);
    const controllers = Array.from({ length: 5 }, () => new AbortController());
    const given = await many((turn, signal) => {
      if (turn > 0) return slow();
      const asker = controllers.find((controller) => controller.signal === signal);
      setTimeout(() => asker?.abort(), 5);
      return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error)));
    }, controllers.map(({ signal }) => signal));
    expect(given.ended.sort()).toEqual([...Array(4).fill("fulfilled"), "rejected"]);
    for (const body of given.sent) expect(body).toContain("a story");
  });

  test("do not wait for one that nobody wants any more", async () => {
    const controllers = Array.from({ length: 5 }, () => new AbortController());
    // A writer who hears no signal, and never ends.
    const given = await many((turn) => {
      if (turn > 0) return slow();
      setTimeout(() => controllers[0]!.abort(), 5);
      return new Promise(() => {});
    }, controllers.map(({ signal }) => signal));
    expect(given.ended).toEqual(["rejected", ...Array(4).fill("fulfilled")]);
    for (const body of given.sent) expect(body).toContain("a story");
  });
});
