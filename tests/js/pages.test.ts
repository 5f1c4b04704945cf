/** `pages`, and the rung "snapshot" of `compact`. */
import { describe, expect, test } from "vitest";
import { check, compact, type CompactOptions, imageCost, measure, OptionError, type PageOptions, pages, type PageSet, UnrenderableError } from "../../pkg/entry/node.js";
import { cjkFace } from "../../pkg/faces/cjk.node.js";
import { anthropicHistory, chatHistory, frozen } from "./support/history.js";
import { readerOf, readPng } from "./support/png.js";

const log = Array.from({ length: 900 }, (_, i) => `  ${i}: src/shop/cart${i % 7}.ts:${i} took ${i * 37} ms, order ${(1e9 + i * 7919).toString(16)}`).join("\n");
/** Each with a reader of another row of the table, and of another rule of billing. */
const MODELS = ["claude-opus-5", "claude-opus-4-8", "gpt-5.4", "gpt-4o", "gemini-3.5-flash", "a-model-nobody-knows"];

describe("a text", () => {
  test.each(MODELS)("for %s: the files are what is told of them", async (model) => {
    const set = await pages(log, { model });
    expect(set.pages.length).toBeGreaterThan(3);
    for (const { png, width, height, chars } of set.pages) {
      expect(readPng(png)).toMatchObject({ width, height, depth: 1, text: ["palimpsest", "page 1"] });
      expect(chars).toBeGreaterThan(0);
    }
    const { width, height, columns, rows, cellWidth, cellHeight } = set.shape;
    for (const page of set.pages.slice(0, -1)) expect(page).toMatchObject({ width, height });
    const last = set.pages.at(-1)!;
    expect(last.width).toBe(width);
    expect(last.height).toBeLessThanOrEqual(height);
    expect(columns * cellWidth).toBeLessThanOrEqual(width);
    expect(rows * cellHeight).toBeLessThanOrEqual(height);
  });

  test.each(MODELS)("for %s: what it costs", async (model) => {
    const { pages: drawn, facts, tokens, textTokens } = await pages(log, { model });
    const known = model.startsWith("a-") ? { id: model, window: 128_000 } : model;
    for (const page of drawn) {
      const { width, height } = page;
      expect(await imageCost(known, width, height)).toEqual({ tokens: page.tokens, width, height });
    }
    const asPages = drawn.reduce((sum, page) => sum + page.tokens, 0);
    const asFacts = tokens - asPages;
    // A token a fact at least, all of them within 8 % of what the pages save.
    expect(asFacts).toBeGreaterThanOrEqual(facts.length);
    expect(asFacts).toBeLessThanOrEqual(0.08 * (textTokens - asPages));
    const { parts } = await measure([{ role: "user", content: log }], { model: known });
    expect(Math.abs(textTokens - parts.text)).toBeLessThanOrEqual(0.02 * parts.text);
  });

  test("stands on the pages, letter for letter", async () => {
    for (const options of [{ model: "claude-opus-5" }, { model: "claude-opus-4-8" }, { model: "claude-opus-5", density: "dense" }] satisfies PageOptions[]) {
      const set = await pages(log, options);
      const read = await readerOf(set.shape);
      expect(set.pages.map(({ png }) => read(png)).join("").trimEnd()).toBe(log);
      expect(set.pages.reduce((sum, { chars }) => sum + chars, 0)).toBe(log.length);
      expect(set.unrenderable).toBe(0);
    }
  });

  test("its exact strings travel beside it, in order, none twice", async () => {
    const { facts } = await pages(log, { model: "claude-opus-5" });
    expect(facts.length).toBeGreaterThan(50);
    expect(new Set(facts).size).toBe(facts.length);
    const places = facts.map((fact) => log.indexOf(fact));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(facts).toContain("src/shop/cart0.ts:0");
    expect(facts).toContain((1e9).toString(16));
  });

  test("the same bytes on each call", async () => {
    expect(await pages(log, { model: "gpt-5.4" })).toEqual(await pages(log, { model: "gpt-5.4" }));
  });

  test("more text changes the last page only", async () => {
    const [short, long] = [await pages(log, { model: "claude-opus-5" }), await pages(`${log}\n${log}`, { model: "claude-opus-5" })];
    const kept = short.pages.length - 1;
    expect(long.pages.slice(0, kept)).toEqual(short.pages.slice(0, kept));
  });

  test("none is no pages", async () => {
    expect(await pages("")).toMatchObject({ pages: [], facts: [], tokens: 0, textTokens: 0, unrenderable: 0 });
  });

  test("without a model, and for one that nobody measured, at the most cautious pitch", async () => {
    for (const options of [{}, { model: "a-model-nobody-knows" }, { model: "a-model-nobody-knows", density: "dense" }] satisfies PageOptions[]) {
      expect((await pages("words", options)).shape).toMatchObject({ font: "8x13", cellWidth: 11, cellHeight: 16 });
    }
  });

  test("OpenAI's models are told how closely to look, others have no such word", async () => {
    expect((await pages("words", { model: "gpt-4o" })).pages[0]?.detail).toBe("high");
    expect((await pages("words", { model: "claude-opus-5" })).pages[0]).not.toHaveProperty("detail");
  });
});

describe("how it is drawn", () => {
  const letters = ({ pages: drawn }: PageSet): number => drawn[0]!.chars / drawn[0]!.tokens;

  test("dense holds more", async () => {
    const safe = await pages(log, { model: "claude-opus-5" });
    const dense = await pages(log, { model: "claude-opus-5", density: "dense" });
    expect([safe, dense].map(({ shape }) => `${shape.cellWidth}×${shape.cellHeight}`)).toEqual(["8×16", "6×12"]);
    expect(letters(dense)).toBeGreaterThan(1.5 * letters(safe));
    expect(dense.tokens).toBeLessThan(safe.tokens);
  });

  test("a shape of one's own", async () => {
    const cell = { font: "5x7", cellWidth: 5, cellHeight: 9 };
    expect((await pages(log, { model: "gpt-4o", shape: cell })).shape).toMatchObject(cell);
    const whole = { ...cell, width: 500, height: 270, columns: 100, rows: 30 };
    const set = await pages(log, { model: "claude-opus-5", shape: whole });
    expect(set.shape).toEqual(whole);
    expect(set.pages[0]).toMatchObject({ width: 500, height: 270 });
    // One that was told is a shape to give again.
    expect(await pages(log, { model: "claude-opus-5", shape: set.shape })).toEqual(set);
  });

  test("what the reader was measured to read, if it was this one", async () => {
    const { shape } = await pages("", { model: "claude-opus-5", density: "dense" });
    const drawn = async (model: string): Promise<number> => (await pages(log, { model, profile: { model: "claude-opus-4-8", shape, exact: 1 } })).shape.cellWidth;
    expect([await drawn("claude-opus-4-8"), await drawn("openrouter/anthropic/claude-opus-4.8"), await drawn("claude-opus-4-1")]).toEqual([6, 6, 11]);
  });

  test("at most so many pages", async () => {
    const all = await pages(log, { model: "claude-opus-5" });
    const some = await pages(log, { model: "claude-opus-5", maxPages: 2 });
    expect(some.pages.length).toBe(2);
    expect(all.pages.length).toBeGreaterThan(2);
  });

  test.each([
    ["density", { density: "denser" }, /density/],
    ["no pages", { maxPages: 0 }, /maxPages/],
    ["half a page", { maxPages: 1.5 }, /maxPages/],
    ["a cell of nothing", { shape: { cellWidth: 0 } }, /cellWidth/],
    ["a huge cell", { shape: { cellWidth: 100_000, cellHeight: 100_000 } }, /./],
    ["a font that nobody gave", { shape: { font: "Comic Sans 9", cellWidth: 6, cellHeight: 12 } }, /Comic Sans 9/],
    ["a font that is none", { fonts: [new Uint8Array(100)] }, /fonts/],
    ["a font of 50 MB that is none", { fonts: [new Uint8Array(50_000_000)] }, /fonts/],
    ["a font as text", { fonts: ["JetBrains Mono"] }, /fonts/],
    ["fonts as one", { fonts: new Uint8Array(100) }, /fonts/],
    ["options as text", "dense", /object/],
  ])("refused: %s", async (_, options, words) => {
    const failure = await pages("words", options as PageOptions).catch((error) => error);
    expect(failure).toBeInstanceOf(OptionError);
    expect(failure.message).toMatch(words);
  });
});

describe("letters that the built-in faces lack", () => {
  test("more than a twentieth: an error that says how many and which", async () => {
    const failure = await pages("مرحبا بالعالم", { model: "claude-opus-5" }).catch((error) => error);
    expect(failure).toBeInstanceOf(UnrenderableError);
    expect(failure).toMatchObject({ name: "UnrenderableError", code: "unrenderable", share: expect.closeTo(12 / 13, 5) });
    expect([...failure.letters].sort()).toEqual([..."مرحبالع"].sort());
  });

  test("fewer are counted", async () => {
    const { unrenderable } = await pages(`${"words ".repeat(99)}مرحبا\n`, { model: "claude-opus-5" });
    expect(unrenderable).toBeCloseTo(5 / 600, 5);
  });

  test("Chinese, Japanese and Korean with the face that comes along", async () => {
    const text = "你好，世界。日本語のテキスト。한국어 텍스트.\n".repeat(40);
    await expect(pages(text, { model: "claude-opus-5" })).rejects.toBeInstanceOf(UnrenderableError);
    const set = await pages(text, { model: "claude-opus-5", fonts: [await cjkFace()] });
    expect(set.unrenderable).toBe(0);
    expect(set.pages.reduce((sum, { chars }) => sum + chars, 0)).toBe([...text].length);
    expect(readPng(set.pages[0]!.png)).toMatchObject({ width: set.pages[0]!.width, height: set.pages[0]!.height });
  });
});

describe("on the way", () => {
  test("says how far it is, page by page", async () => {
    const told: [number, number][] = [];
    const { pages: drawn } = await pages(log, { model: "claude-opus-5", onProgress: (done, total) => told.push([done, total]) });
    expect(told).toEqual(drawn.map((_, index) => [index + 1, drawn.length]));
  });

  test("the event loop gets its turn between pages", async () => {
    let turns = 0;
    const clock = setInterval(() => turns++);
    await pages(log.repeat(20), { model: "claude-opus-5" }).finally(() => clearInterval(clock));
    expect(turns).toBeGreaterThan(3);
  });

  test("can be stopped between two pages", async () => {
    const stop = new AbortController();
    const told: number[] = [];
    const onProgress = (done: number): void => {
      told.push(done);
      if (done === 2) stop.abort(new Error("enough"));
    };
    await expect(pages(log, { model: "claude-opus-5", signal: stop.signal, onProgress })).rejects.toThrow("enough");
    expect(told).toEqual([1, 2]);
    await expect(pages(log, { signal: stop.signal })).rejects.toThrow("enough");
  });
});

describe("a request", () => {
  test.each([
    ["anthropic", { ...anthropicHistory(30), model: "claude-opus-5" }],
    ["openai-chat", { ...chatHistory(30), model: "gpt-5.4" }],
  ])("%s: its transcript, drawn for the model that it names", async (_, request) => {
    const before = JSON.stringify(request);
    const set = await pages(frozen(request));
    expect(JSON.stringify(request)).toBe(before);
    expect(set.shape).toEqual((await pages("", { model: request.model })).shape);
    const read = await readerOf(set.shape);
    const text = set.pages.map(({ png }) => read(png)).join("");
    expect(text).toContain("Find where the total is wrong.\n");
    expect(text).toContain("    let total = items.iter().map(|item| item.price * item.count).sum::<u64>(); // checked\n");
    expect(text).toContain("src/29.rs");
    expect(set.facts).toContain("src/7.rs");
    expect(set.tokens).toBeLessThan(set.textTokens);
  });

  test("a bare array with a model beside it; another model than its own", async () => {
    const { messages } = anthropicHistory(5);
    expect(await pages(messages, { model: "claude-opus-5" })).toEqual(await pages({ model: "gpt-5.4", max_tokens: 5, system: "", messages }, { model: "claude-opus-5" }));
  });

  test.each([["null", null], ["a number", 5], ["no messages", { prompt: "words" }]])("refused: %s", async (_, request) => {
    await expect(pages(request as object)).rejects.toMatchObject({ code: "unsupported-format" });
  });
});

/** People and an assistant who talk at length; no tools, so that nothing can be elided. */
function talk(model: string, exchanges: number): { model: string; max_tokens: number; messages: { role: string; content: any }[] } {
  const messages = Array.from({ length: 2 * exchanges + 1 }, (_, at) => ({
    role: at % 2 ? "assistant" : "user",
    content: Array.from({ length: 40 }, (_, i) => `Word ${at} of ${i} was that src/shop/cart${(at * 7 + i) % 50}.ts holds the price twice.`).join(" "),
  }));
  return { model, max_tokens: 2000, messages };
}

describe("the rung", () => {
  // Room enough below for all that the middle comes to as pages.
  const options = (id: string): CompactOptions => ({ model: { id, window: 32_000 }, target: 0.75, keepExchanges: 1 });
  const blocks = (body: { messages: { content: any }[] }): any[] => body.messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const entry = (report: { rungs: { rung: string }[] }): any => report.rungs.find(({ rung }) => rung === "snapshot");

  test.each([
    ["claude-opus-5", "image"],
    ["gpt-5.4", "image_url"],
    ["openrouter/anthropic/claude-opus-5", "image_url"],
  ])("%s: the middle becomes pages", async (id, type) => {
    const request = talk(id, 20);
    const chat = type === "image_url";
    const given = { ...options(id), format: chat ? ("openai-chat" as const) : ("anthropic" as const) };
    const { body, report } = await compact(frozen(request), given);
    const drawn = blocks(body).filter((block) => block.type === type);
    expect(drawn.length).toBeGreaterThan(0);
    const data = drawn.map((block) => {
      if (!chat) {
        expect(block).toEqual({ type: "image", source: { type: "base64", media_type: "image/png", data: expect.any(String) } });
        return block.source.data;
      }
      const detail = id.startsWith("gpt") ? { detail: "high" } : {};
      expect(block).toEqual({ type: "image_url", image_url: { url: expect.stringMatching(/^data:image\/png;base64,/), ...detail } });
      return block.image_url.url.slice("data:image/png;base64,".length);
    });
    // The task and the newest stay; what lay between stands on the pages, word for word.
    expect(body.messages[0]).toBe(request.messages[0]);
    expect(body.messages.at(-1)).toBe(request.messages.at(-1));
    const [record] = report.records as any[];
    expect(record).toMatchObject({ rung: "snapshot", from: 1, to: expect.any(Number), model: expect.stringContaining(id.split("/").at(-1)!) });
    const read = await readerOf(record.shape);
    const text = data.map((page: string) => read(Buffer.from(page, "base64"))).join("");
    // The oldest may be left out; the first after them may be cut where its page begins.
    const leftOut = Number(/(\d+) earlier messages were left out/.exec(blocks(body)[0].text)?.[1] ?? 0);
    expect(leftOut).toBeLessThan(record.to / 2);
    const drawnWhole = request.messages.slice(leftOut > 0 ? leftOut + 2 : 1, record.to + 1);
    expect(drawnWhole.filter(({ content }) => !text.includes(content))).toEqual([]);

    const { before, after, ran, code, items } = entry(report);
    expect({ ran, code, items }).toEqual({ ran: true, code: "ran", items: 1 });
    expect([record.before - record.after, report.after.images]).toEqual([before - after, drawn.length]);
    expect(report.fits).toBe(true);
    expect(await check(body, given)).toEqual([]);

    const { parts } = await measure(body, given);
    let cost = 0;
    for (const page of data) {
      const { width, height } = readPng(Buffer.from(page, "base64"));
      cost += (await imageCost(id, width, height)).tokens;
    }
    expect([parts.pages, parts.images]).toEqual([cost, 0]);
    const again = await compact(body, given);
    expect(again.body).toBe(body);
  });

  test("strings on the pages that must be exact stand beside them, once", async () => {
    const { body } = await compact(talk("claude-opus-5", 20), options("claude-opus-5"));
    const sheet: string = blocks(body).at(-1).text;
    const [first, ...facts] = sheet.split("\n");
    expect(first).toMatch(/^\[palimpsest: the pages above stand for \d+ messages; exact strings on them:\]$/);
    expect(facts).toContain("src/shop/cart7.ts");
    expect(new Set(facts).size).toBe(facts.length);
  });

  test("the same bytes on each call", async () => {
    const [one, other] = [await compact(talk("gpt-5.4", 20), options("gpt-5.4")), await compact(talk("gpt-5.4", 20), options("gpt-5.4"))];
    expect(JSON.stringify(one.body)).toBe(JSON.stringify(other.body));
  });

  test.each([
    ["a model that cannot see", { id: "gpt-5.4", vision: false }, "no-vision"],
    ["a reader that nobody measured", { id: "mine", vision: true }, "unmeasured-reader"],
  ])("%s gets none", async (_, model, code) => {
    const request = talk("mine", 20);
    const { body, report } = await compact(request, { model: { ...model, window: 32_000 } });
    expect(entry(report)).toMatchObject({ ran: false, code, items: 0 });
    expect(report.fits).toBe(true);
    expect(blocks(body).filter(({ type }) => type !== "text")).toEqual([]);
  });

  test("a shape makes it run for a reader that nobody measured", async () => {
    const { report } = await compact(talk("mine", 20), { model: { id: "mine", vision: true, window: 32_000 }, pages: { shape: { cellWidth: 8, cellHeight: 16 } } });
    expect(entry(report)).toMatchObject({ ran: true });
    expect(report.records[0]?.shape).toMatchObject({ font: "8x13", cellWidth: 8, cellHeight: 16 });
  });

  test("letters that nothing draws: refused, and the ladder goes on", async () => {
    const request = talk("claude-opus-5", 20);
    for (const message of request.messages.slice(1)) message.content = "مرحبا بالعالم ".repeat(100);
    const { report } = await compact(request, options("claude-opus-5"));
    expect(entry(report)).toMatchObject({ ran: false, code: "unrenderable" });
    expect(report.rungs.at(-1)).toMatchObject({ rung: "window", ran: true });
  });

  test("at most so many pages: the oldest are left out and counted in words", async () => {
    const whole = await compact(talk("claude-opus-5", 20), options("claude-opus-5"));
    const { body, report } = await compact(talk("claude-opus-5", 20), { ...options("claude-opus-5"), pages: { maxPages: 2 } });
    expect(whole.report.after.images).toBeGreaterThan(2);
    expect(report.after.images).toBeGreaterThan(0);
    expect(report.after.images).toBeLessThanOrEqual(2);
    expect(blocks(body)[0].text).toMatch(/\n\[palimpsest: \d+ earlier messages were left out here/);
    expect(blocks(whole.body)[0].text).not.toContain("left out");
  });

  test("denser pages are fewer tokens", async () => {
    const safe = await compact(talk("claude-opus-5", 20), options("claude-opus-5"));
    const dense = await compact(talk("claude-opus-5", 20), { ...options("claude-opus-5"), pages: { density: "dense" } });
    expect(dense.report.records[0]?.shape).toMatchObject({ cellWidth: 6, cellHeight: 12 });
    expect((await measure(dense.body)).parts.pages).toBeLessThan((await measure(safe.body)).parts.pages);
  });

  test("says how far it is, page by page", async () => {
    const [rungs, told]: [unknown[], unknown[]] = [[], []];
    const { report } = await compact(talk("claude-opus-5", 20), { ...options("claude-opus-5"), onProgress: (step) => rungs.push(step), pages: { onProgress: (...step) => told.push(step) } });
    const total = report.after.images;
    const steps = Array.from({ length: total }, (_, index) => index + 1);
    expect(told).toEqual(steps.map((done) => [done, total]));
    expect(rungs).toEqual(steps.map((done) => ({ rung: "snapshot", done, total })));
  });

  test("can be stopped between two pages", async () => {
    const stop = new AbortController();
    const given = { ...options("claude-opus-5"), signal: stop.signal, onProgress: () => stop.abort(new Error("enough")) };
    await expect(compact(talk("claude-opus-5", 20), given)).rejects.toThrow("enough");
  });

  test("left out of the rungs, or with fonts that are none", async () => {
    const { report } = await compact(talk("claude-opus-5", 20), { ...options("claude-opus-5"), rungs: ["window"] });
    expect(report.rungs.map(({ rung }) => rung)).not.toContain("snapshot");
    await expect(compact(talk("claude-opus-5", 20), { ...options("claude-opus-5"), pages: { fonts: [new Uint8Array(9)] } })).rejects.toBeInstanceOf(OptionError);
  });
});
