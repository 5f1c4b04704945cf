/** `probeReader`, asked of readers whose eyes are known: they decode the pages, and spoil what is finer than they can see. */
import { beforeAll, describe, expect, test } from "vitest";
import { compact, OptionError, pages } from "../../pkg/entry/node.js";
import { probeReader } from "../../pkg/probe.js";
import { chatHistory } from "./support/history.js";
import { type Pitch, readerOf } from "./support/png.js";

const MODEL = { id: "a-model-of-my-own", window: 32_000, vision: true };
/** From coarse to fine, as the probe goes. */
const PITCHES: Pitch[] = [["8x13", 11, 16], ["8x13", 8, 22], ["8x13", 8, 16], ["6x12", 6, 12], ["6x10", 6, 10], ["5x8", 5, 10], ["5x7", 5, 9], ["5x8", 5, 8]]
  .map(([font, cellWidth, cellHeight]) => ({ font, cellWidth, cellHeight }) as Pitch);

type Ask = (images: Uint8Array[], prompt: string) => Promise<string>;
let readers: ((png: Uint8Array) => string)[];
beforeAll(async () => void (readers = await Promise.all(PITCHES.map(readerOf))));

/** Reads a page by whichever face and pitch it was drawn. */
function read(png: Uint8Array): { text: string; pitch: number } {
  const texts = readers.map((reader) => reader(png));
  const pitch = texts.findIndex((text) => !text.slice(0, 500).includes("\ufffd"));
  return { text: texts[pitch] ?? "", pitch };
}

/** A model that reads exactly up to the pitch of this number; at finer ones it takes one digit of one key for another. */
function modelWithEyes(finest: number, seen: number[] = []): Ask {
  return async ([png, ...more], prompt) => {
    expect(more).toEqual([]);
    const { text, pitch } = read(png!);
    seen.push(pitch);
    const names = prompt.split("\n\n")[1]!.split("\n");
    expect(names.length).toBe(20);
    const lines = names.map((name) => `${name} = ${new RegExp(`${name} = ([0-9a-f]{12})`).exec(text)?.[1] ?? "?"}`);
    if (pitch > finest) lines[7] = lines[7]!.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
    return `Here are the keys:\n${lines.join("\n")}`;
  };
}

describe("the densest pitch without a fault", () => {
  test.each(PITCHES.map((pitch, index) => [`${pitch.font} on ${pitch.cellWidth}×${pitch.cellHeight}`, index] as const))("%s", async (_, finest) => {
    const seen: number[] = [];
    const profile = await probeReader(modelWithEyes(finest, seen), { model: MODEL });
    expect(profile).toEqual({ model: MODEL.id, shape: expect.objectContaining(PITCHES[finest]), exact: 1 });
    // One question a pitch, none after the first fault.
    expect(seen).toEqual(PITCHES.map((_, index) => index).slice(0, finest + 2));
  });

  test("is plain data", async () => {
    const profile = await probeReader(modelWithEyes(3), { model: MODEL });
    expect(JSON.parse(JSON.stringify(profile))).toEqual(profile);
  });
});

test("one that reads nothing is told by what it read", async () => {
  for (const answer of ["", "I cannot see any keys.", "amber-anchor = 000000000000"]) {
    expect(await probeReader(async () => answer, { model: MODEL })).toEqual({ model: MODEL.id, shape: expect.objectContaining(PITCHES[0]), exact: 0 });
  }
  const { exact } = await probeReader(modelWithEyes(-1), { model: MODEL });
  expect(exact).toBe(19 / 20);
});

test("the questions are the same each time, and give no key away", async () => {
  const ask = (heard: unknown[]): Ask => async (images, prompt) => (heard.push(Buffer.from(images[0]!).toString("base64"), prompt), modelWithEyes(2)(images, prompt));
  const [first, second]: [string[], string[]] = [[], []];
  await probeReader(ask(first), { model: MODEL });
  await probeReader(ask(second), { model: MODEL });
  expect(second).toEqual(first);
  expect(first.length).toBe(8);
  for (const prompt of first.filter((_, index) => index % 2)) expect(prompt).not.toMatch(/[0-9a-f]{12}/);
});

test("what the model's client throws comes out as it is", async () => {
  const failure = new Error("429 Too Many Requests");
  await expect(probeReader(() => Promise.reject(failure), { model: MODEL })).rejects.toBe(failure);
});

test.each<[string, unknown, unknown]>([
  ["no function", undefined, { model: MODEL }],
  ["no options", async () => "", undefined],
  ["no model", async () => "", {}],
])("refused: %s", async (_, ask, options) => {
  await expect(probeReader(ask as Ask, options as { model: string })).rejects.toBeInstanceOf(OptionError);
});

test("a model that nobody knows is refused by its bare name", async () => {
  await expect(probeReader(async () => "", { model: "no-such-model-9000" })).rejects.toMatchObject({ code: "unknown-model" });
});

describe("what was found", () => {
  test("says how pages are drawn for that model", async () => {
    const profile = await probeReader(modelWithEyes(3), { model: MODEL });
    const { shape } = await pages("words", { model: MODEL, profile });
    expect(shape).toEqual(profile.shape);
    const { shape: other } = await pages("words", { model: "claude-opus-5", profile });
    expect(other).toMatchObject({ cellWidth: 8, cellHeight: 16 });
  });

  test("makes the rung run", async () => {
    const request = chatHistory(60);
    const options = { model: MODEL, rungs: ["snapshot", "window"] as const };
    const rung = async (more: object): Promise<unknown> => (await compact(request, { ...options, rungs: [...options.rungs], ...more })).report.rungs[0];
    expect(await rung({})).toMatchObject({ rung: "snapshot", ran: false, code: "unmeasured-reader" });
    const profile = await probeReader(modelWithEyes(3), { model: MODEL });
    expect(await rung({ pages: { profile } })).toMatchObject({ rung: "snapshot", ran: true });
  });

  test("keeps it off when not even the coarsest page was read", async () => {
    const profile = await probeReader(async () => "", { model: MODEL });
    const { report } = await compact(chatHistory(60), { model: MODEL, rungs: ["snapshot", "window"], pages: { profile } });
    expect(report.rungs[0]).toMatchObject({ rung: "snapshot", ran: false, code: "unmeasured-reader" });
  });
});
