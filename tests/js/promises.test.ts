/** What only JavaScript can see of the promises: the caller's own objects stay whole and come back as they are. */
import { expect, test } from "vitest";
import * as api from "../../pkg/entry/node.js";
import { anthropicHistory, chatHistory, output } from "./support/history.js";
import { bodies } from "./support/bodies.js";
import { mutated, seeded } from "./support/mutate.js";

const reader = (window: number) => ({ model: { id: "reader", window, maxOutput: window / 10, vision: true } });

/** The messages of a request; none where it holds no list. */
const messages = (request: any): any[] => (Array.isArray(request) ? request : Array.isArray(request.messages) ? request.messages : []);

test("no call changes what it was given", async () => {
  const random = seeded(7);
  const originals = bodies();
  for (let round = 0; round < 1_500; round++) {
    const request = mutated(originals[round % originals.length]!, random);
    const before = JSON.stringify(request);
    for (const call of [() => api.compact(request, reader(2_000)), () => api.repair(request), () => api.trim(request, { messages: 2 }, reader(50_000))]) {
      await call().catch((error) => expect(error).toBeInstanceOf(api.PalimpsestError));
    }
    expect(JSON.stringify(request)).toBe(before);
  }
}, 60_000);

test.each([anthropicHistory(120), chatHistory(120)])("a message of $model that no rung touched is the caller's own object", async (request) => {
  for (const window of [16_000, 64_000]) {
    const { body, report } = await api.compact(request, reader(window));
    expect(report.fits).toBe(true);
    const own = new Set(messages(request));
    const changed = messages(body).filter((message) => !own.has(message));
    expect(changed.length).toBeGreaterThan(0);
    // Whatever is not the caller's own says why: a notice, or a placeholder within.
    for (const message of changed) expect(JSON.stringify(message)).toContain("[palimpsest: ");
    expect(messages(body).length).toBeGreaterThan(changed.length);
    expect(Object.keys(body).filter((key) => key !== "messages").every((key) => (body as any)[key] === (request as any)[key])).toBe(true);
  }
});

test("what was elided comes back by its reference", async () => {
  const request = anthropicHistory(60);
  const { report } = await api.compact(request, { ...reader(80_000), rungs: ["elide"] });
  const references = report.records.flatMap(({ items }) => items ?? []);
  expect(references.length).toBeGreaterThan(3);
  const words = await Promise.all(references.map((reference) => api.restoreElided(request, reference)));
  const outputs = new Set(Array.from({ length: 60 }, (_, step) => output(step)));
  expect(words.every((text) => outputs.has(text!))).toBe(true);
  expect(await api.restoreElided(messages(request), references[0]!)).toBe(words[0]);
  expect(await api.restoreElided(request, "0000000000")).toBeUndefined();
  await expect(api.restoreElided(request, "")).rejects.toBeInstanceOf(api.OptionError);
});
