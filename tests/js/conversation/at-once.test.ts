/** Many things at once over one conversation, while a model takes its time over summaries, fails, or is called off: everything ends, whatever is sent
 *  can be sent, and nothing is lost. */
import { expect, test } from "vitest";
import { CannotFitError, check } from "../../../pkg/entry/node.js";
import { memoryStore } from "../../../pkg/stores/memory.js";
import { generator } from "../support/random.js";
import { chat, texts, user } from "./talk.js";

/** Sequences; more of them when asked. */
const SEQUENCES = Number(process.env["PALIMPSEST_SEQUENCES"] ?? 60);
const STORY = "## Key decisions\n- go on\n## Context\n- a story";

test.each(Array.from({ length: SEQUENCES }, (_, seed) => seed))("sequence %i", async (seed) => {
  const random = generator(2 * seed + 1);
  const below = (most: number): number => Math.floor(random() * most);
  const store = memoryStore();
  const talk = await chat({ store, model: { id: "mine", window: 1200 } });
  const said: string[] = [];
  const say = (): void => {
    said.push(`word ${said.length} ${"long ".repeat(below(60))}`);
    talk.append(user(said.at(-1)!));
  };
  const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, below(6)));
  const summarize = async (): Promise<string> => {
    await later();
    if (random() < 0.2) await talk.measure();
    if (random() < 0.2) say();
    if (random() < 0.2) throw new Error("the line is dead");
    return random() < 0.2 ? "" : STORY;
  };
  say();
  const tasks: Promise<unknown>[] = [];
  for (let step = 0; step < 60; step++) {
    const roll = below(10);
    if (roll < 5) say();
    else if (roll < 8) {
      const off = new AbortController();
      const reason = new Error("called off");
      const force = random() < 0.3;
      const asked = talk.request({ force, signal: off.signal, ...(random() < 0.8 && { summarize }), ...(random() < 0.3 && { rungs: ["summary"] }) });
      if (random() < 0.3) void later().then(() => off.abort(reason));
      const ended = asked.then(
        async ({ body }) => expect(await check(body)).toEqual([]),
        (error) => {
          if (error !== reason && !(error instanceof CannotFitError)) throw error;
        },
      );
      tasks.push(ended);
    } else if (roll === 8) tasks.push(talk.measure(), talk.commit());
    else if (random() < 0.5) await later();
    else {
      const nodes = talk.tree();
      talk.branch(nodes[below(nodes.length)]!.id);
    }
  }
  await Promise.all(tasks);
  await talk.close();
  const again = await chat({ store, model: { id: "mine", window: 1200 } });
  expect(texts(again)).toEqual(texts(talk));
  const { body, report } = await again.request();
  expect(report.fits).toBe(true);
  expect(await check(body)).toEqual([]);
  const all = again.tree().map(({ preview }) => preview.split(" ").slice(0, 2).join(" "));
  for (let n = 0; n < said.length; n++) expect(all).toContain(`word ${n}`);
});
