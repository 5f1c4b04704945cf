import { describe, expect, test } from "vitest";
import { CannotFitError, InvalidHistoryError, PalimpsestError } from "../../pkg/errors.js";
import { hostOf, offered } from "../../pkg/host.js";
import { type CoreJob, drive } from "../../pkg/job.js";
import { split } from "../../pkg/split.js";
import type { CompactOptions } from "../../pkg/types.js";
import { readTape } from "./support/read-tape.js";

const messages = [{ role: "user", content: "hello" }, { role: "user", content: [{ text: "字" }] }];

/** A job that takes these steps and writes down what it was answered. */
function scripted(...steps: unknown[]): CoreJob & { answers: (string | undefined)[] } {
  const answers: (string | undefined)[] = [];
  return {
    answers,
    next(answer) {
      answers.push(answer && JSON.stringify(readTape(answer)));
      const step = steps.shift();
      if (step instanceof Error) throw step;
      return JSON.stringify(step);
    },
    page: () => new Uint8Array(),
  };
}

const run = (job: CoreJob, options: CompactOptions = {}, request: object = { system: { a: [1] }, messages }): Promise<unknown> =>
  drive(job, hostOf(split(request, options), options), options.signal);

describe("the host answers", () => {
  test("counts of whole texts, of JSON where it is no text, and of the envelope", async () => {
    const texts: string[] = [];
    const job = scripted({ ask: "count", texts: [[0, "content"], [1, "content"], [-1, "system"], [1, "nowhere"]] }, { done: 1 });
    await run(job, { countTokens: (text) => texts.push(text) });
    expect(texts).toEqual(["hello", '[{"text":"字"}]', '{"a":[1]}', ""]);
    expect(job.answers[1]).toBe("[1,2,3,4]");
  });

  test("null where a tokenizer throws or answers no count", async () => {
    const answers: unknown[] = [new Error("no"), NaN, -1, "3", Promise.resolve(3), 0, 2.5];
    const job = scripted({ ask: "count", texts: answers.map(() => [0, "content"]) }, { done: 1 });
    await run(job, {
      countTokens: () => {
        const answer = answers.shift();
        if (answer instanceof Error) throw answer;
        return answer as number;
      },
    });
    expect(job.answers[1]).toBe("[null,null,null,null,null,0,2.5]");
  });

  test("placeholders, null where the callback throws", async () => {
    const job = scripted({ ask: "placeholder", items: [{ ref: "a" }, { ref: "b" }] }, { done: 1 });
    await run(job, {
      elide: {
        placeholder: ({ ref }) => {
          if (ref === "b") throw new Error("no");
          return `<${ref}>`;
        },
      },
    });
    expect(job.answers[1]).toBe('["<a>",null]');
  });

  test("the count of a request, as it came and with edits", async () => {
    const asked: any[] = [];
    const request = { messages };
    const job = scripted({ ask: "request", edits: null }, { ask: "request", edits: { messages: [1] } }, { ask: "request", edits: null }, { done: "end" });
    const countRequest = async (body: any): Promise<number> => {
      asked.push(body);
      if (asked.length === 3) throw new Error("offline");
      return body.messages.length;
    };
    expect(await run(job, { countRequest }, request)).toBe("end");
    expect(asked[0]).toBe(request);
    expect(asked[1].messages[0]).toBe(messages[1]);
    expect(job.answers.slice(1)).toEqual(["2", "1", "null"]);
  });

  test("and offers what it was given", () => {
    expect(offered({})).toEqual([]);
    expect(offered({ countTokens: () => 1, elide: { placeholder: () => "" } })).toEqual(["countTokens", "placeholder"]);
  });
});

describe("errors", () => {
  test("of the core become the class of their code, with what they carry", async () => {
    const violations = [{ rule: "r", index: 0, message: "m" }];
    const invalid = await run(scripted({ error: { code: "invalid-history", message: "broken", violations } })).catch((e: unknown) => e);
    expect(invalid).toBeInstanceOf(InvalidHistoryError);
    expect(invalid).toMatchObject({ name: "InvalidHistoryError", code: "invalid-history", message: "broken", violations });

    const unfit = await run(scripted({ error: { code: "cannot-fit", message: "too large", report: { fits: false }, edits: { messages: [1] } } })).catch((e: unknown) => e);
    expect(unfit).toBeInstanceOf(CannotFitError);
    expect((unfit as CannotFitError).body.messages[0]).toBe(messages[1]);
    expect(unfit).toMatchObject({ report: { fits: false } });
  });

  test("of a code that has no class here are PalimpsestErrors", async () => {
    await expect(run(scripted({ error: { code: "quota", message: "m" } }))).rejects.toMatchObject({ name: "PalimpsestError", code: "quota" });
  });

  test("a panic is internal and keeps its cause", async () => {
    const panic = new Error("index out of bounds");
    const error = await run(scripted(panic)).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(PalimpsestError);
    expect(error).toMatchObject({ code: "internal", cause: panic });
  });
});

describe("a signal", () => {
  test("that is aborted stops before the core is asked", async () => {
    const job = scripted({ done: 1 });
    const reason = new Error("stop");
    await expect(run(job, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(job.answers).toEqual([]);
  });

  test("stops while a callback is awaited that never answers", async () => {
    const controller = new AbortController();
    const call = run(scripted({ ask: "request", edits: null }, { done: 1 }), { countRequest: () => new Promise(() => {}), signal: controller.signal });
    setTimeout(() => controller.abort("enough"));
    await expect(call).rejects.toBe("enough");
  });

  test("leaves no listener behind", async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args));
    signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args));
    await run(scripted({ ask: "count", texts: [] }, { ask: "count", texts: [] }, { done: 1 }), { signal });
    expect(listeners).toBe(0);
  });
});
