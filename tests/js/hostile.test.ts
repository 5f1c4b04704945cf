/** Input that nobody means well with: an error of the contract each time, and the module goes on. */
import { afterEach, describe, expect, test } from "vitest";
import * as api from "../../pkg/entry/node.js";
import { bodies } from "./support/bodies.js";
import { mutated, seeded } from "./support/mutate.js";

const user = (content: unknown) => ({ role: "user", content });
const model = { id: "reader", window: 8_000, maxOutput: 500 };

/** Every function that takes a request. */
const calls: Record<string, (request: any) => Promise<unknown>> = {
  compact: (request) => api.compact(request, { model }),
  measure: (request) => api.measure(request, { model }),
  check: (request) => api.check(request),
  repair: (request) => api.repair(request),
  trim: (request) => api.trim(request, { messages: 3 }, { model }),
};

/** What became of a call: nothing, or the code of its error. Anything but an error of the contract fails the test. */
async function outcome(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
    return "done";
  } catch (error) {
    expect(error).toBeInstanceOf(api.PalimpsestError);
    const { code } = error as api.PalimpsestError;
    expect(code, String((error as Error).message)).not.toBe("internal");
    return code;
  }
}

afterEach(async () => {
  const request = { model: "gpt-4o", messages: [user("still there?")] };
  expect((await api.compact(request)).body).toBe(request);
});

function nested(depth: number): unknown {
  let value: unknown = "deep";
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { value };
  return value;
}

describe("refused before it crosses", () => {
  test.each(Object.keys(calls))("5,000-fold nesting by %s", async (name) => {
    const request = { model: "gpt-4o", messages: [{ ...user("hi"), more: nested(5_000) }] };
    expect(await outcome(() => calls[name]!(request))).toBe("option");
  });

  test("a circle", async () => {
    const message: any = user("hi");
    message.self = message;
    for (const call of Object.values(calls)) expect(await outcome(() => call({ messages: [message] }))).toBe("option");
  });
});

describe("taken as it is", () => {
  test("lone surrogates come back as they were", async () => {
    const request = { model: "gpt-4o", messages: [user("\ud800 half \udc00"), { role: "assistant", content: "ok" }, user("go on")] };
    for (const call of Object.values(calls)) expect(await outcome(() => call(request))).toBe("done");
    expect((await api.compact(request)).body.messages[0]!.content).toBe("\ud800 half \udc00");
  });

  test("keys named __proto__ and constructor", async () => {
    const message = JSON.parse('{"role":"user","content":"hi","__proto__":{"role":"assistant"},"constructor":1}');
    const request = { model: "gpt-4o", messages: [message, { role: "assistant", content: null }] };
    for (const call of Object.values(calls)) expect(await outcome(() => call(request))).toBe("done");
    const { body } = await api.repair(request);
    expect(Object.hasOwn(body.messages[0], "__proto__")).toBe(true);
    expect(({} as any).role).toBeUndefined();
  });

  test("numbers beyond 2^53, and what is no number", async () => {
    const odd = { a: 2 ** 60, b: -0, c: 1e308, d: NaN, e: -Infinity, f: 5e-324 };
    const request = { model: "gpt-4o", max_tokens: 1e300, messages: [{ ...user("hi"), odd }] };
    for (const call of Object.values(calls)) await outcome(() => call(request));
    const { body } = await api.repair(request);
    expect(body.messages[0]!.odd).toBe(odd);
  });

  test("100,000 empty parts", async () => {
    const parts = () => Array.from({ length: 100_000 }, () => ({ type: "text", text: "" }));
    for (const name of ["claude-sonnet-4-5", "gpt-4o"]) {
      const request = { model: name, messages: [user(parts()), user("go")] };
      for (const call of Object.values(calls)) await outcome(() => call(request));
    }
  }, 60_000);

  test("every code point below 256, and one of every 97th above", async () => {
    let text = "";
    for (let point = 0; point < 0x110000; point += point < 256 ? 1 : 97) if (point < 0xd800 || point > 0xdfff) text += String.fromCodePoint(point);
    // The text is more than the reader holds, so what must stay does not fit: that is the only error there is.
    for (const call of Object.values(calls)) expect(["done", "cannot-fit"]).toContain(await outcome(() => call({ model: "gpt-4o", messages: [user(text), user("\0"), user("go")] })));
  });
});

describe("options nobody means", () => {
  test.each([
    { threshold: NaN }, { target: {} }, { rungs: [[]] }, { keepExchanges: 2 ** 40 }, { model: { id: "x", window: -5 } }, { model: 5 }, { model: { id: "x", window: 1e30 } },
    { elide: [] }, { limits: "none" }, { format: "toString" }, { reserveOutput: Infinity }, { calibration: { factor: "much" } }, { images: { keep: 1.5 } },
  ])("%j", async (options) => {
    const request = { model: "gpt-4o", messages: [user("hi")] };
    const code = await outcome(() => api.compact(request, options as any));
    expect(["option", "unknown-model", "unsupported-format"]).toContain(code);
  });
});

test("10,000 random mutations of real bodies", async () => {
  const random = seeded(20261130);
  const originals = bodies();
  const names = Object.keys(calls);
  const codes = new Map<string, number>();
  for (let round = 0; round < 10_000; round++) {
    const request = mutated(originals[round % originals.length]!, random);
    const code = await outcome(() => calls[names[round % names.length]!]!(request));
    codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  // Most mutations leave something that can be worked with; not all do.
  expect(codes.get("done")).toBeGreaterThan(5_000);
  expect(codes.size).toBeGreaterThan(1);
}, 180_000);
