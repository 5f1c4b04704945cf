import { describe, expect, test } from "vitest";
import * as api from "../../pkg/entry/node.js";
import { anthropicHistory, chatHistory, frozen, output } from "./support/history.js";

const { CannotFitError, check, compact, imageCost, measure, modelFacts, models, OptionError, PalimpsestError, repair, trim, UnknownModelError, UnsupportedFormatError } = api;

/** A window in which the histories here are too large. */
const small = (id: string): { id: string; window: number } => ({ id, window: 16_000 });
const histories = [
  ["anthropic", frozen(anthropicHistory(60)), frozen(anthropicHistory(3)), small("claude-sonnet-4-5")],
  ["openai-chat", frozen(chatHistory(60)), frozen(chatHistory(3)), small("gpt-4o")],
] as const;

/** Compares as JSON: a difference between two long histories would fill the screen. */
function expectSame(one: unknown, two: unknown): void {
  expect(JSON.stringify(one) === JSON.stringify(two)).toBe(true);
}

test("what this version exports", () => {
  expect(Object.keys(api).sort()).toEqual(
    [
      "CannotFitError", "ConflictError", "CorruptStoreError", "InvalidHistoryError", "OpenTurnError", "OptionError", "PalimpsestError", "QuotaError",
      "UnknownCheckpointError", "UnknownModelError", "UnrenderableError", "UnsupportedFormatError", "Conversation",
      "calibrate", "check", "compact", "imageCost", "init", "measure", "modelFacts", "models", "overflow", "pages", "repair", "restoreElided", "trim",
    ].sort(),
  );
});

describe.each(histories)("compact, %s", (format, request, short, model) => {
  test("gives the very object back below the threshold", async () => {
    const { body, report } = await compact(short, { model });
    expect(body).toBe(short);
    expect(report).toMatchObject({ fits: true, before: report.after });
    expect(report.rungs.every(({ ran }) => !ran)).toBe(true);
    const bare = short.messages;
    expect((await compact(bare, { model, format })).body).toBe(bare);
  });

  test("shrinks until it fits, leaves what it does not touch and breaks no rule", async () => {
    const { body, report } = await compact(request, { model });
    expect(report.fits).toBe(true);
    expect(report.after.tokens).toBeLessThan(report.before.tokens);
    expect(report.window).toBe(16_000);
    expect(await check(body, { format })).toEqual([]);
    expect(body.messages.at(-1)).toBe(request.messages.at(-1));
    const own = new Set<object>(request.messages);
    expect(body.messages.filter((message) => own.has(message)).length).toBeGreaterThan(1);
    const { messages: _, ...rest } = request;
    expect(body).toMatchObject(rest);
    expect(report.after.tokens).toBe((await measure(body, { model })).tokens);
  });

  test("is idempotent, and the same each time", async () => {
    const [one, two] = await Promise.all([compact(request, { model }), compact(request, { model })]);
    expect(JSON.stringify(one.body)).toBe(JSON.stringify(two.body));
    expect((await compact(one.body, { model })).body).toBe(one.body);
  });

  test("comes back as an array when it was one", async () => {
    const { body } = await compact(request.messages, { model, format, reserveOutput: 2000, ...("system" in request && { system: request.system, tools: request.tools }) });
    expect(Array.isArray(body)).toBe(true);
    expectSame(body, (await compact(request, { model })).body.messages);
  });

  test("says how long it took, once", async () => {
    const { report } = await compact(request, { model });
    expect(report.rungs.filter(({ ms }) => ms > 0)).toHaveLength(1);
    expect(report.rungs.find(({ ran }) => ran)?.ms).toBeGreaterThan(0);
  });
});

describe("callbacks", () => {
  const request = frozen(anthropicHistory(60));
  const model = small("claude-sonnet-4-5");

  test("countTokens counts whole texts of the caller", async () => {
    const texts = new Set<string>();
    const countTokens = (text: string): number => (texts.add(text), Math.ceil(text.length / 2));
    const exact = await measure(request, { model, countTokens });
    const estimate = await measure(request, { model });
    expect(exact.tokens).toBeGreaterThan(estimate.tokens);
    expect(texts).toContain("You are careful.");
    expect(texts).toContain(output(7));
  });

  test("countTokens that throws leaves the estimate", async () => {
    const failing = await measure(request, {
      model,
      countTokens: () => {
        throw new Error("no");
      },
    });
    expect(failing).toEqual(await measure(request, { model }));
  });

  test("countRequest is asked at most once before and once after, about the request itself", async () => {
    const asked: any[] = [];
    const { body } = await compact(request, { model, countRequest: async (sent) => (asked.push(sent), 12_000) });
    expect(asked.length).toBeLessThanOrEqual(2);
    if (asked.length === 2) expect([asked[0], asked[1]]).toEqual([request, body]);
  });

  test("placeholder words what stands for an elided result", async () => {
    const model = { id: "claude-sonnet-4-5", window: 64_000 }; // so large that eliding is enough
    const { body } = await compact(request, { model, rungs: ["elide", "window"], elide: { placeholder: ({ ref, tool }) => `[${tool} was here: ${ref}]` } });
    expect(JSON.stringify(body)).toMatch(/\[read was here: [^\]]+\]/);
    const failing = await compact(request, {
      model,
      elide: {
        placeholder: () => {
          throw new Error("no");
        },
      },
    });
    expect(JSON.stringify(failing.body)).toBe(JSON.stringify((await compact(request, { model })).body));
  });

  test("onProgress hears of each rung that ran, and of each page", async () => {
    const heard: string[] = [];
    const { report } = await compact(request, { model, onProgress: ({ rung, done, total }) => heard.push(`${rung} ${done}/${total}`) });
    const pages = report.after.images;
    const told = ({ rung, items }: (typeof report.rungs)[number]): string[] =>
      rung === "snapshot" ? Array.from({ length: pages }, (_, page) => `${rung} ${page + 1}/${pages}`) : [`${rung} ${items}/${items}`];
    expect(pages).toBeGreaterThan(0);
    expect([...heard].sort()).toEqual(report.rungs.filter(({ ran }) => ran).flatMap(told).sort());
  });

  test("a caller's change to its array while it is asked does no harm", async () => {
    const messages = [...request.messages];
    const call = compact(
      { ...request, messages },
      {
        model,
        countRequest: async () => {
          messages.length = 0;
          return 12_000;
        },
      },
    );
    expectSame((await call).body.messages, (await compact(request, { model })).body.messages);
  });
});

describe("what JSON cannot say", () => {
  test("goes through untouched", async () => {
    const bytes = new Uint8Array(10);
    const message = { role: "user", content: "look", extra: { gone: undefined, url: new URL("https://example.org"), bytes, zero: -0, lone: "\ud800" } };
    const request = { model: "gpt-4o", messages: [message, ...chatHistory(40).messages.slice(1)], odd: bytes };
    const { body } = await compact(request, { model: small("gpt-4o") });
    expect(body.messages).not.toBe(request.messages);
    expect(body.messages).toContain(message);
    expect(body.odd).toBe(bytes);
  });

  test("is refused where no request can hold it", async () => {
    const deep = JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`);
    const circle: any[] = [];
    circle.push({ role: "user", content: circle });
    for (const content of [1n, deep, circle, { toJSON: () => { throw new Error("no"); } }]) {
      await expect(measure({ model: "gpt-4o", messages: [{ role: "user", content }] })).rejects.toThrow(OptionError);
    }
    expect(await measure({ model: "gpt-4o", messages: [{ role: "user", content: "still alive" }] })).toMatchObject({ messages: 1 });
  });
});

describe("measure", () => {
  test.each(histories)("%s: the parts sum to the whole", async (_, request, __, model) => {
    const { tokens, parts, fill, window, reserve, free, messages, largest } = await measure(request, { model });
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBe(tokens);
    expect(fill).toBeCloseTo(tokens / window, 5);
    expect(free).toBe(Math.max(0, window - reserve - tokens));
    expect(messages).toBe(request.messages.length);
    expect(largest.map((one) => one.tokens)).toEqual(largest.map((one) => one.tokens).sort((a, b) => b - a));
  });
});

describe("check, repair and trim", () => {
  const broken = frozen({
    model: "gpt-4o",
    messages: [
      { role: "user", content: "hi" },
      { role: "tool", tool_call_id: "lost", content: "an answer to nothing" },
      { role: "assistant", content: "hello" },
    ],
  });

  test("an orphan result is found, and mended", async () => {
    expect(await check(broken)).toMatchObject([{ index: 1 }]);
    const { body, repairs } = await repair(broken);
    expect(repairs).toMatchObject([{ kind: "orphan-result", index: 1 }]);
    expect(await check(body)).toEqual([]);
    expect(body.messages[0]).toBe(broken.messages[0]);
  });

  test("what is whole comes back as the very object", async () => {
    const whole = frozen(chatHistory(3));
    expect(await check(whole)).toEqual([]);
    expect(await repair(whole)).toEqual({ body: whole, repairs: [] });
    expect((await repair(whole)).body).toBe(whole);
  });

  test("trim cuts where no result is orphaned", async () => {
    const request = frozen(chatHistory(20));
    for (const limit of [{ messages: 4 }, { exchanges: 1 }, { tokens: 3000 }]) {
      const { body, report } = await trim(request, limit);
      expect(body.messages.length).toBeLessThan(request.messages.length);
      expect(body.messages[0]).toBe(request.messages[0]);
      expect(body.messages.at(-1)).toBe(request.messages.at(-1));
      expect(await check(body)).toEqual([]);
      expect(report.after.tokens).toBeLessThan(report.before.tokens);
    }
    await expect(trim(request, {})).rejects.toThrow(OptionError);
  });
});

describe("models", () => {
  test("are known by id and by what the route calls them", async () => {
    const all = await models();
    expect(all.length).toBeGreaterThan(20);
    const facts = await modelFacts("claude-sonnet-4-5");
    expect(facts).toMatchObject({ vision: true, tokenizer: "claude" });
    expect(await modelFacts({ modelId: "claude-sonnet-4-5" })).toEqual(facts);
    expect(await modelFacts({ id: "claude-sonnet-4-5", window: 5000 })).toMatchObject({ window: 5000, maxOutput: expect.any(Number), tokenizer: "claude" });
    expect(await modelFacts({ id: "my-own", window: 5000 })).toMatchObject({ id: "my-own", window: 5000 });
    expect((await modelFacts("openrouter/anthropic/claude-sonnet-4.5")).window).toBe(facts.window);
  });

  test("of an AI SDK object only the name crosses", async () => {
    const client: any = { modelId: "gpt-4o", fetch: () => {} };
    client.self = client;
    expect(await measure([{ role: "user", content: "hi" }], { model: client, format: "openai-chat" })).toMatchObject({ messages: 1 });
  });

  test("that nobody knows are refused", async () => {
    await expect(modelFacts("no-such-model-9000")).rejects.toThrow(UnknownModelError);
    await expect(compact({ ...chatHistory(2), model: "no-such-model-9000" })).rejects.toMatchObject({ code: "unknown-model", name: "UnknownModelError" });
    await expect(measure([{ role: "user", content: "hi" }], { format: "openai-chat" })).rejects.toThrow(UnknownModelError);
  });

  test("price pictures", async () => {
    const cost = await imageCost("gpt-4o", 4096, 4096);
    expect(cost.tokens).toBeGreaterThan(0);
    expect(Math.max(cost.width, cost.height)).toBeLessThan(4096);
    for (const side of [0, -1, 1.5, NaN, 2 ** 32]) await expect(imageCost("gpt-4o", side, 10)).rejects.toThrow(OptionError);
  });
});

describe("errors", () => {
  test("of the format", async () => {
    for (const request of [null, "text", 7, { prompt: "hi" }, {}]) {
      await expect(compact(request as object, { model: "gpt-4o" })).rejects.toThrow(UnsupportedFormatError);
    }
    await expect(compact({ contents: [{ role: "user", parts: [{ text: "hi" }] }] }, { model: "gemini-2.5-pro" })).rejects.toThrow(UnsupportedFormatError);
  });

  test("of options that make no sense", async () => {
    const request = chatHistory(2);
    for (const options of [{ threshold: 0.5, target: 0.6 }, { reserveOutput: 10_000_000 }, { rungs: ["shrink" as never] }, { threshold: -1 }, { keepExchanges: -1 }]) {
      await expect(compact(request, options), JSON.stringify(options)).rejects.toThrow(OptionError);
    }
    await expect(compact(request, null as never)).rejects.toThrow(OptionError);
    for (const [name, options] of Object.entries({ summarize: { summarize: "same-model" }, memo: { memo: {} }, placeholder: { elide: { placeholder: "[gone]" } } })) {
      await expect(compact(request, options as never), name).rejects.toThrow(OptionError);
      await expect(compact(request, options as never), name).rejects.toThrow(name);
    }
    await expect(compact(request, { summarize: undefined, memo: null } as never)).resolves.toMatchObject({ report: { fits: true } });
  });

  test("cannot-fit carries report and body, or comes back as asked", async () => {
    const request = { ...chatHistory(1), messages: [{ role: "user", content: "word ".repeat(40_000) }] };
    const error = await compact(request, { model: small("gpt-4o") }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(CannotFitError);
    const { code, report, body } = error as InstanceType<typeof CannotFitError>;
    expect([code, report.fits]).toEqual(["cannot-fit", false]);
    expect(body).toBe(request);
    const returned = await compact(request, { model: small("gpt-4o"), onUnfit: "return" });
    expect([returned.report.fits, returned.body]).toEqual([false, request]);
  });

  test("are PalimpsestErrors with a code", async () => {
    const error = await modelFacts("no-such-model-9000").catch((e: unknown) => e);
    expect(error).toBeInstanceOf(PalimpsestError);
    expect(error).toBeInstanceOf(Error);
    expect(Object.keys(error as object)).toEqual(["code"]);
    expect(String(error)).toMatch(/^UnknownModelError: /);
  });

  test("an aborted call rejects with the signal's reason", async () => {
    const request = chatHistory(2);
    await expect(compact(request, { signal: AbortSignal.abort("over") })).rejects.toBe("over");
    const controller = new AbortController();
    const call = compact(chatHistory(60), { model: small("gpt-4o"), countRequest: () => new Promise(() => {}), signal: controller.signal });
    setTimeout(() => controller.abort("enough"));
    await expect(call).rejects.toBe("enough");
  });
});
