/** What is learnt from usage, and what compact and measure make of it. */
import { describe, expect, test } from "vitest";
import { calibrate, type Calibration, compact, measure, OptionError, trim } from "../../pkg/entry/node.js";
import { anthropicHistory, chatHistory } from "./support/history.js";
import { generator } from "./support/random.js";

const request = chatHistory(40);
const model = { id: request.model, window: 64_000 };
const learn = (previous: Calibration | undefined, usage: any, report?: any): Promise<Calibration> =>
  calibrate(previous, report ?? { model: "gpt-4o", tokens: 1000, estimated: 1000 }, usage);

describe("calibrate", () => {
  test("reads usage as providers report it", async () => {
    for (const usage of [
      1500,
      { prompt_tokens: 1500, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 1024 } },
      { input_tokens: 1500, input_tokens_details: { cached_tokens: 1024 }, output_tokens: 20 },
      { input_tokens: 100, cache_read_input_tokens: 1200, cache_creation_input_tokens: 200, output_tokens: 20 },
      { input_tokens: 9, iterations: [{ type: "message", input_tokens: 1500 }, { type: "message", input_tokens: 9 }] },
      { promptTokenCount: 1500, cachedContentTokenCount: 1000 },
      { inputTokens: 1500, outputTokens: 20, cachedInputTokens: 1000, totalTokens: 1520, reasoningTokens: undefined },
      { inputTokens: 100, cacheReadInputTokens: 1200, cacheWriteInputTokens: 200 },
      { promptTokens: 1500, completionTokens: Number.NaN },
    ]) {
      expect(await learn(undefined, usage), JSON.stringify(usage)).toEqual({ version: 1, factor: 1.5, samples: 1, model: "gpt-4o" });
    }
  });

  test("is left as it was by usage that tells nothing", async () => {
    const previous = await learn(undefined, 1500);
    for (const usage of [undefined, null, 0, Number.NaN, Infinity, -5, {}, [], { prompt_tokens: 0 }, { promptTokens: Number.NaN }, { output_tokens: 5 }]) {
      expect(await learn(previous, usage)).toEqual(previous);
      expect(await learn(undefined, usage)).toEqual({ version: 1, factor: 1, samples: 0, model: "gpt-4o" });
    }
  });

  test("refuses what is no usage, no report and no calibration", async () => {
    const circle: any = {};
    circle.self = circle;
    for (const call of [learn(undefined, "many"), learn(undefined, true), learn(undefined, 12n), learn(undefined, circle), learn(undefined, { get prompt_tokens() { throw new Error("no"); } })]) {
      await expect(call).rejects.toBeInstanceOf(OptionError);
    }
    for (const report of [{}, { model: "gpt-4o" }, { tokens: 5 }, "report", 5]) await expect(learn(undefined, 5, report)).rejects.toBeInstanceOf(OptionError);
    for (const previous of [5, { factor: "2" }, { factor: -1 }, []]) await expect(learn(previous as any, 5)).rejects.toBeInstanceOf(OptionError);
  });

  test("changes nothing it was given, and takes frozen data", async () => {
    const previous = Object.freeze(await learn(undefined, 1500));
    const report = Object.freeze({ ...(await measure(request, { model })) });
    const usage = Object.freeze({ prompt_tokens: 1000 });
    await calibrate(previous, report, usage);
    expect(previous).toEqual({ version: 1, factor: 1.5, samples: 1, model: "gpt-4o" });
  });

  test("starts anew for another model", async () => {
    const previous = { factor: 2, samples: 9, model: "claude-sonnet-4-5" };
    expect(await learn(previous, 1000)).toEqual({ version: 1, factor: 1, samples: 1, model: "gpt-4o" });
    expect(await learn({ ...previous, model: "openrouter/openai/gpt-4o" }, 1000)).toMatchObject({ factor: 1.75, samples: 10 });
  });

  test("settles between the usages that alternate, never beyond 0.5 and 3", async () => {
    const random = generator(31);
    for (let run = 0; run < 25; run++) {
      const pair = [Math.ceil(random() * 5000), Math.ceil(random() * 5000)] as const;
      const [low, high] = pair.map((tokens) => Math.min(3, Math.max(0.5, tokens / 1000))).sort((a, b) => a - b) as [number, number];
      let calibration: Calibration | undefined;
      const factors: number[] = [];
      for (let call = 0; call < 40; call++) {
        calibration = await learn(calibration, pair[call % 2]);
        factors.push(calibration.factor);
        expect(calibration.factor).toBeGreaterThanOrEqual(low - 1e-9);
        expect(calibration.factor).toBeLessThanOrEqual(high + 1e-9);
        expect(calibration.samples).toBe(call + 1);
      }
      // Two values in turn: a fixed cycle, a seventh of the distance wide, around the middle.
      const [before, last] = factors.slice(-2) as [number, number];
      expect(Math.abs(last - (factors.at(-3) as number))).toBeLessThan(1e-3);
      expect(Math.abs(last - before)).toBeCloseTo((high - low) / 7, 2);
      expect((last + before) / 2).toBeCloseTo((low + high) / 2, 2);
    }
  });
});

describe("what was learnt", () => {
  const double: Calibration = { factor: 2, samples: 5, model: request.model };

  test("corrects the figures of measure, whose parts still sum to the whole", async () => {
    const plain = await measure(request, { model });
    expect(plain.estimated).toBe(plain.tokens);
    for (const factor of [0.5, 0.93, 1.01, 1.37, 2, 3]) {
      const told = await measure(request, { model, calibration: { ...double, factor } });
      expect(told.estimated).toBe(plain.tokens);
      expect(Math.abs(told.tokens - plain.tokens * factor)).toBeLessThanOrEqual(1);
      expect(Object.values(told.parts).reduce((sum, tokens) => sum + tokens)).toBe(told.tokens);
      // In steps of a sixteenth it acts where the calibrated tokens reach the threshold.
      expect(Math.abs(told.thresholdTokens / plain.thresholdTokens - 1)).toBeLessThan(1 / 32 / 0.5);
    }
  });

  test("makes compact act earlier, and its report tells what will be charged", async () => {
    const options = { model, reserveOutput: 4000 };
    const before = (await measure(request, options)).tokens;
    const tight = { ...options, model: { ...model, window: Math.ceil(before * 1.5) } };
    const alone = await compact(request, tight);
    expect(alone.body).toBe(request);
    const learnt = await compact(request, { ...tight, calibration: double });
    expect(learnt.body).not.toBe(request);
    const { report } = learnt;
    expect(report.before.tokens).toBe(2 * before);
    expect(report.after.tokens).toBe(2 * report.estimated);
    expect(report.fits).toBe(true);
    expect(report.after.tokens).toBeLessThan(report.thresholdTokens);
    expect((await measure(learnt.body, { ...tight, calibration: double })).tokens).toBe(report.after.tokens);
    expect(report.rungs.findLast(({ ran }) => ran)?.after).toBe(report.after.tokens);
  });

  test("does not depend on what is small: the body is the same for factors of one step", async () => {
    const history = anthropicHistory(200);
    const options = { model: { id: history.model, window: 32_000 } };
    const bodies = await Promise.all([1.95, 1.97, 2].map(async (factor) => (await compact(history, { ...options, calibration: { factor, samples: 9, model: history.model } })).body));
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]).toEqual(bodies[0]);
  });

  test("is learnt from the estimate, whatever was applied already", async () => {
    let calibration: Calibration | undefined;
    for (let call = 0; call < 12; call++) {
      const { report } = await compact(request, { model, ...(calibration && { calibration }) });
      calibration = await calibrate(calibration, report, { prompt_tokens: Math.round(report.estimated * 1.4) });
      expect(calibration.factor).toBeCloseTo(1.4, 2);
    }
    const { tokens, estimated } = await measure(request, { model, calibration: calibration as Calibration });
    expect(tokens / estimated).toBeCloseTo(1.4, 2);
  });

  test("counts for its model only", async () => {
    const other = await measure(request, { model, calibration: { ...double, model: "claude-sonnet-4-5" } });
    expect(other.tokens).toBe(other.estimated);
    const stored = JSON.parse(JSON.stringify({ ...double, version: 99 }));
    const later = await measure(request, { model, calibration: stored });
    expect(later.tokens).toBe(later.estimated);
  });

  test("holds for the limit of a trim", async () => {
    const { body, report } = await trim(request, { tokens: 4000 }, { model, calibration: double });
    expect(report.after.tokens).toBeLessThanOrEqual(4000);
    expect(report.after.tokens).toBe((await measure(body, { model, calibration: double })).tokens);
    expect(report.estimated).toBeLessThanOrEqual(2000);
  });
});
