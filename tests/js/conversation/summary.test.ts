/** Summaries on a conversation: a record that is kept, inherited by branches, and updated; messages stay. */
import { expect, test } from "vitest";
import { memoryStore } from "../../../pkg/stores/memory.js";
import type { SummaryRequest } from "../../../pkg/entry/node.js";
import { assistant, calling, chat, result, texts, user } from "./talk.js";

const SAID = "## Key decisions\n- go on\n## Context\n- a story";
const MODEL = { id: "mine", window: 4000, maxOutput: 500 };

/** A writer who counts. */
function writer(): { asked: SummaryRequest[]; summarize: (wanted: SummaryRequest) => Promise<string> } {
  const asked: SummaryRequest[] = [];
  return { asked, summarize: async (wanted) => (asked.push(wanted), SAID) };
}

async function long(options: object, turns = 45) {
  const talk = await chat({ model: MODEL, rungs: ["summary", "window"], ...options });
  talk.append(user("Port the parser."));
  for (let n = 0; n < turns; n++) {
    talk.append([assistant(`step ${n}: ${"word ".repeat(60)}`), user(`go on ${n}`)]);
    await talk.request();
  }
  return talk;
}

test("is laid once, kept through the store, and updated by the next", async () => {
  const store = memoryStore();
  const { asked, summarize } = writer();
  const talk = await long({ store, summarize });
  expect(asked.length).toBeGreaterThan(0);
  const made = asked.length;
  const { body } = await talk.request();
  expect(asked.length).toBe(made);
  expect(talk.messages()).toHaveLength(91);
  const records = talk.timeline().flatMap((entry) => (entry.kind === "compaction" ? [entry.record] : []));
  expect(records.map(({ rung }) => rung)).toContain("summary");
  const { summary } = records.find(({ rung }) => rung === "summary")!;
  expect(summary).toMatchObject({ decisions: ["go on"], context: ["a story"] });
  await talk.close();

  const again = await chat({ store, model: MODEL, rungs: ["summary", "window"], summarize });
  expect((await again.request()).body).toEqual(body);
  expect(asked.length).toBe(made);
  for (let n = 0; n < 40; n++) {
    again.append([assistant(`later ${n}: ${"word ".repeat(60)}`), user("go on")]);
    await again.request();
  }
  expect(asked.length).toBeGreaterThan(made);
  expect(asked[made]!.previous).toMatchObject({ generation: summary!.generation });
  expect(asked[made]!.prompt).not.toContain("step 0:");
});

test("is inherited by a branch that forks behind it, and by no other", async () => {
  const { summarize } = writer();
  const talk = await long({ summarize });
  const path = talk.messages();
  const holds = async (): Promise<boolean> => JSON.stringify((await talk.request({ rungs: ["window"] })).body).includes("a story");
  talk.branch(path.at(-3)!.id);
  talk.append(user("another way"));
  expect(await holds()).toBe(true);
  talk.branch(path[2]!.id);
  talk.append(user("quite another"));
  expect(await holds()).toBe(false);
});

test("/compact focus has one written at once", async () => {
  const { asked, summarize } = writer();
  const talk = await chat({ rungs: ["summary"], summarize });
  for (let n = 0; n < 12; n++) talk.append([user(`question ${n} ${"word ".repeat(40)}`), assistant(`answer ${n} ${"word ".repeat(40)}`)]);
  talk.append(user("and now?"));
  const { text } = await talk.command("/compact the schema");
  expect(text).not.toBe("");
  expect(asked[0]!.prompt).toContain("the schema");
  expect(JSON.stringify((await talk.request()).body)).toContain("a story");
});

test("is laid behind the back of a conversation that went on meanwhile; not when its range is gone", async () => {
  let release = (_: string): void => {};
  const summarize = (): Promise<string> => new Promise((resolve) => (release = resolve));
  const talk = await chat({ rungs: ["summary"], summarize });
  for (let n = 0; n < 12; n++) talk.append([user(`question ${n} ${"word ".repeat(40)}`), assistant(`answer ${n} ${"word ".repeat(40)}`)]);
  const asking = talk.append(user("and now?"));
  const running = talk.compact({ force: true });
  await new Promise((resolve) => setTimeout(resolve, 20));
  talk.append([assistant("meanwhile"), user("it goes on")]);
  release(SAID);
  const report = await running;
  expect(report.records).toHaveLength(1);
  expect(texts(talk).slice(-2)).toEqual(["meanwhile", "it goes on"]);
  const { body } = await talk.request();
  expect(JSON.stringify(body)).toContain("a story");
  expect(JSON.stringify(body)).toContain("it goes on");
  expect(talk.get(asking)).toBeDefined();
});

test("a writer who fails leaves the conversation as it was", async () => {
  const talk = await chat({ rungs: ["summary"], summarize: async () => Promise.reject(new Error("dead")) });
  for (let n = 0; n < 12; n++) talk.append([user(`question ${n} ${"word ".repeat(40)}`), assistant(`answer ${n} ${"word ".repeat(40)}`)]);
  talk.append(user("and now?"));
  const before = (await talk.request()).body;
  const report = await talk.compact({ force: true });
  expect(report.rungs.find(({ rung }) => rung === "summary")).toMatchObject({ ran: false, code: "summary-failed", reason: expect.stringContaining("dead") });
  expect((await talk.request()).body).toEqual(before);
  expect(talk.timeline().every(({ kind }) => kind === "message")).toBe(true);
});

test("measuring asks nobody", async () => {
  const { asked, summarize } = writer();
  const talk = await chat({ model: MODEL, rungs: ["summary", "window"], summarize });
  talk.append(user("Port the parser."));
  for (let n = 0; n < 45; n++) talk.append([assistant(`step ${n}: ${"word ".repeat(60)}`), user(`go on ${n}`)]);
  expect((await talk.measure()).tokens).toBeGreaterThan(0);
  await talk.command("/context");
  expect(asked).toHaveLength(0);
  await talk.request();
  expect(asked.length).toBeGreaterThan(0);
});

test("and pages that begin with the result of a call it holds are laid again as they were", async () => {
  const told = async (): Promise<string> => SAID;
  let parted = 0;
  for (let steps = 55; steps <= 62; steps++) {
    const store = memoryStore();
    const options = { store, model: { id: "claude-sonnet-4-5", window: 30_000 } };
    const talk = await chat({ ...options, summarize: told });
    talk.append(user("THE TASK"));
    for (let n = 0; n < steps; n++) {
      talk.append([calling(`c${n}`, { words: "word ".repeat(40) }), result(`c${n}`, `${"line ".repeat(400)}${n}`)]);
      if (n % 6 === 5) talk.append([assistant(`done ${n}`), user(`go on ${n}`)]);
    }
    const { body, report } = await talk.request({ force: true });
    const from = (rung: string): string | undefined => report.records.find((record) => record.rung === rung)?.from as string | undefined;
    if (from("summary") && talk.get(from("snapshot")!)?.message.role === "tool") parted++;
    expect((await talk.request()).body, `${steps} steps`).toEqual(body);
    await talk.commit();
    expect((await (await chat(options)).request()).body, `${steps} steps, opened again`).toEqual(body);
  }
  expect(parted).toBeGreaterThan(0);
});
