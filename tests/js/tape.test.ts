import { describe, expect, test } from "vitest";
import { OptionError } from "../../pkg/errors.js";
import { MAX_DEPTH, reading, TapeWriter } from "../../pkg/tape.js";
import { generator, randomText, randomValue } from "./support/random.js";
import { Bytes, List, readTape } from "./support/read-tape.js";

const written = (value: unknown): unknown => readTape(new TapeWriter().value(value));
/** The same as part of a request, which is written as JSON would have it. */
const posted = (value: unknown): unknown => (readTape(new TapeWriter().message([value], 0)) as unknown[])[0];
/** What JSON makes of it, lone surrogates replaced as UTF-8 demands. */
const asJson = (value: unknown): unknown => JSON.parse((JSON.stringify(value) ?? "null").replace(/\\ud[89a-f][0-9a-f]{2}/g, "\ufffd"));
const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));

describe("a tape says what JSON.stringify says", () => {
  test("of a thousand random values", () => {
    for (let seed = 1; seed <= 1000; seed++) {
      const value = randomValue(generator(seed * 7919), 6);
      expect(posted(value), `seed ${seed}`).toEqual(asJson(value));
    }
  });

  test("but for numbers in options that JSON cannot say: those are told", () => {
    const tape = new TapeWriter().value({ threshold: NaN });
    expect(new TextDecoder().decode(tape)).toContain("NaN");
    expect(posted({ threshold: NaN })).toEqual({ threshold: null });
  });

  test("of long texts whose letters straddle the end of the buffer", () => {
    const random = generator(4711);
    const writer = new TapeWriter();
    for (const length of [47, 48, 49, 65_520, 65_530, 65_531, 65_532, 65_536, 200_000]) {
      for (const letter of ["a", "é", "字", "😀", "\ud800"]) {
        const text = letter.repeat(length / letter.length) + randomText(random, 20);
        expect(readTape(writer.value(text))).toBe(text.toWellFormed());
        expect(readTape(new TapeWriter().value({ [text]: [text, text] }))).toEqual({ [text.toWellFormed()]: [text.toWellFormed(), text.toWellFormed()] });
      }
    }
  });

  test("with toJSON called on objects and bigints, with the key it stands under", () => {
    const spy = { toJSON: (key: string) => `key ${key}` };
    expect(written({ a: spy, b: [0, spy] })).toEqual({ a: "key a", b: [0, "key 1"] });
    expect(written({ gone: { toJSON: () => undefined } })).toEqual({});
    expect(written(new URL("https://example.org/"))).toBe("https://example.org/");
    class Message {
      role = "user";
      #secret = 1;
      get content(): number {
        return this.#secret;
      }
    }
    expect(written(new Message())).toEqual({ role: "user" });
  });

  test("of an own key named __proto__", () => {
    const value = JSON.parse('{"__proto__": {"polluted": true}}');
    const back = written(value) as object;
    expect(Object.keys(back)).toEqual(["__proto__"]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test("of sparse arrays, objects without prototype and proxies", () => {
    expect(written([, 1])).toEqual([null, 1]);
    expect(written(Object.assign(Object.create(null), { a: 1 }))).toEqual({ a: 1 });
    expect(written(new Proxy({ a: [1] }, {}))).toEqual({ a: [1] });
  });
});

describe("bytes", () => {
  test("cross with their length and at most 64 KiB of themselves", () => {
    const large = Uint8Array.from({ length: 70_000 }, (_, i) => i);
    expect(written(large)).toEqual(new Bytes(70_000, large.slice(0, 65_536)));
    expect(written(Buffer.from("png"))).toEqual(new Bytes(3, new Uint8Array([112, 110, 103])));
    expect(written(new Uint8Array([1, 2, 3, 4]).buffer)).toEqual(new Bytes(4, new Uint8Array([1, 2, 3, 4])));
    expect(written(new DataView(new ArrayBuffer(8), 2, 2))).toEqual(new Bytes(2, new Uint8Array(2)));
    expect(written(new Float32Array(2))).toEqual(new Bytes(8, new Uint8Array(8)));
  });

  test("of a detached buffer are none", () => {
    const bytes = new Uint8Array(8);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    expect(written([bytes, bytes.buffer])).toEqual([new Bytes(0, new Uint8Array()), new Bytes(0, new Uint8Array())]);
  });
});

describe("a request", () => {
  test("crosses as its envelope and its messages one by one", () => {
    const messages = [{ role: "user", content: "hi" }, undefined];
    const writer = new TapeWriter();
    const envelope = readTape(writer.envelope({ model: "m", messages, tools: [1] }, "messages", 2));
    expect(envelope).toEqual({ model: "m", messages: new List(2), tools: [1] });
    expect(Object.keys(envelope as object)).toEqual(["model", "messages", "tools"]);
    expect(messages.map((message, i) => readTape(writer.message(message, i)))).toEqual([messages[0], null]);
  });

  test("without messages is all envelope", () => {
    expect(readTape(new TapeWriter().envelope({ input: "text" }, undefined, 0))).toEqual({ input: "text" });
  });
});

describe("refused before it crosses", () => {
  test("nesting beyond 512", () => {
    expect(written(nested(MAX_DEPTH))).toEqual(nested(MAX_DEPTH));
    expect(() => written(nested(MAX_DEPTH + 1))).toThrow(OptionError);
    // Around a message lie the request and its list.
    const writer = new TapeWriter();
    expect(readTape(writer.message(nested(MAX_DEPTH - 2), 0))).toEqual(nested(MAX_DEPTH - 2));
    expect(() => writer.message(nested(MAX_DEPTH - 1), 0)).toThrow(OptionError);
  });

  test("nesting of any depth, also by objects that refer to themselves or are made by toJSON", () => {
    expect(() => written(nested(100_000))).toThrow(OptionError);
    const circle: { self?: unknown } = {};
    circle.self = { again: [circle] };
    expect(() => written(circle)).toThrow(/refers to itself/);
    const endless = { toJSON: () => [endless] };
    expect(() => written(endless)).toThrow(OptionError);
  });

  test("a bigint", () => {
    expect(() => written({ id: 1n })).toThrow(OptionError);
    expect(() => written([Object(1n)])).toThrow(OptionError);
  });

  test("more than 1 GiB", () => {
    expect(() => written(new Array(2 ** 30 + 1))).toThrow(/1 GiB/);
    const writer = new TapeWriter();
    const text = "x".repeat(2 ** 28);
    for (let i = 0; i < 3; i++) writer.message(text, i);
    expect(() => writer.message(text, 3)).toThrow(/1 GiB/);
  });

  test("objects that throw when they are read", () => {
    const trap = {
      get content(): never {
        throw new RangeError("no");
      },
    };
    const error = (() => {
      try {
        reading(() => written(trap));
      } catch (error) {
        return error as OptionError;
      }
      return undefined;
    })();
    expect(error).toBeInstanceOf(OptionError);
    expect(error?.cause).toBeInstanceOf(RangeError);
  });
});
