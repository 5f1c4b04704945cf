import { expect, test } from "vitest";
import { faultOf } from "../../pkg/fault.js";
import { generator } from "./support/random.js";

test.each([
  ['{"a": 1,}', 1, 9, "expected a key in double quotes"],
  ['{\n  "a": [1, 2\n  "b": 3\n}', 3, 3, 'expected "," or "]"'],
  ['{"a" 1}', 1, 6, 'expected ":" after a key'],
  ["{'a': 1}", 1, 2, "expected a key in double quotes"],
  ["[1, , 2]", 1, 5, "expected a value"],
  ["[1, undefined]", 1, 5, "expected a value"],
  ["[01]", 1, 3, 'expected "," or "]"'],
  ["[1] x", 1, 5, "text after the end of the value"],
  ['{"a": 1}\n{"a": 2}', 2, 1, "text after the end of the value"],
  ['["a\nb"]', 1, 4, "a control character (a line break?) within a string"],
  ['["a\\x"]', 1, 4, "a backslash that escapes nothing"],
  ['["a', 1, 2, "a string that does not end"],
  ['{"messages": [{"role": "user"', 1, 30, "the text ends in the middle"],
  ["", 1, 1, "the text ends in the middle"],
  ["<html>", 1, 1, "expected a value"],
])("%j breaks at line %i, column %i", (text, line, column, what) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(faultOf(text)).toEqual({ line, column, what });
});

test("every text cut short or with a letter changed breaks where JSON.parse refuses it", () => {
  const text = JSON.stringify({ messages: [{ role: "user", n: [-1.5e-7, true, null, {}, []], content: 'a "b" \\ \n 字' }], empty: "" }, null, 1);
  const random = generator(99);
  for (let i = 0; i < 2000; i++) {
    const at = Math.floor(random() * text.length);
    const broken = text.slice(0, at) + (i % 2 ? "" : '{}[],:"\\x0 \n'[Math.floor(random() * 12)] + text.slice(at + 1));
    if (isJson(broken)) continue;
    expect(faultOf(broken).what, broken).not.toBe("cannot be read");
  }
});

test("nesting of any depth is no trouble", () => {
  expect(faultOf(`${"[".repeat(200_000)}x`)).toMatchObject({ column: 200_001 });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
