import { describe, expect, test } from "vitest";
import { applyEdits, type Edits, valueAt } from "../../pkg/edits.js";
import { UnsupportedFormatError } from "../../pkg/errors.js";
import { split } from "../../pkg/split.js";
import { frozen } from "./support/history.js";

const edited = (request: object, edits: Edits): any => applyEdits(split(request, {}), edits);


const request = frozen({
  model: "m",
  messages: [
    { role: "user", content: "hello", extra: { kept: undefined } },
    { role: "assistant", content: [{ type: "text", text: "a" }, { type: "tool_use", input: { deep: [1, { x: 2 }] } }] },
    { role: "user", content: [{ type: "tool_result", content: "long", cache_control: { type: "ephemeral" } }] },
  ],
  temperature: -0,
});

describe("edits", () => {
  test("null gives the very request back", () => {
    expect(edited(request, null)).toBe(request);
    const bare = request.messages;
    expect(edited(bare, null)).toBe(bare);
  });

  test("numbers are the caller's own messages, in a copy of the request that keeps its keys and their order", () => {
    const body = edited(request, { messages: [2, 0] });
    expect(Object.keys(body)).toEqual(["model", "messages", "temperature"]);
    expect(body.temperature).toBe(-0);
    expect(body.messages[0]).toBe(request.messages[2]);
    expect(body.messages[1]).toBe(request.messages[0]);
    expect(request.messages).toHaveLength(3);
  });

  test("a bare array comes back as an array", () => {
    const list = edited(request.messages, { messages: [1] });
    expect(Array.isArray(list)).toBe(true);
    expect(list[0]).toBe(request.messages[1]);
  });

  test("are made under the key that the format has", () => {
    const gemini = { contents: [{ role: "user", parts: [] }, { role: "model", parts: [] }], messages: "not these" };
    expect(edited(gemini, { messages: [1] })).toEqual({ contents: [gemini.contents[1]], messages: "not these" });
  });

  test("copy along the path and nothing else", () => {
    const body = edited(request, { messages: [0, { base: 1, set: [[["content", 1, "input", "deep", 1, "x"], { lit: 3 }], [["content", 0, "text"], { lit: "b" }]] }, 2] });
    const [before, after] = [request.messages[1] as any, body.messages[1]];
    expect(after).toEqual({ role: "assistant", content: [{ type: "text", text: "b" }, { type: "tool_use", input: { deep: [1, { x: 3 }] } }] });
    expect(before.content[1].input.deep[1].x).toBe(2);
    const [first] = edited(request, { messages: [{ base: 2, set: [[["content", 0, "content"], { lit: "…" }]] }] }).messages;
    expect(first.content[0].cache_control).toBe((request.messages[2] as any).content[0].cache_control);
  });

  test("copy an object once for all the paths that lead through it", () => {
    const [message] = edited(request, {
      messages: [{ base: 1, set: [[["content", 1, "input"], { lit: {} }], [["content", 1, "name"], { lit: "n" }], [["id"], { lit: 7 }]] }],
    }).messages;
    expect(message).toEqual({ role: "assistant", content: [{ type: "text", text: "a" }, { type: "tool_use", input: {}, name: "n" }], id: 7 });
    expect(message.content[0]).toBe((request.messages[1] as any).content[0]);
  });

  test("build new messages from literals and the caller's own values", () => {
    const [message] = edited(request, {
      messages: [{ new: { obj: { role: { lit: "user" }, content: { list: [{ ref: [2, "content", 0] }, { lit: { type: "text" } }, { ref: [0, "extra"] }] } } } }],
    }).messages;
    expect(message.content[0]).toBe((request.messages[2] as any).content[0]);
    expect(message.content[2]).toBe(request.messages[0]?.extra);
    expect("kept" in message.content[2]).toBe(true);
  });

  test("change a value that is referred to in a copy", () => {
    const [message] = edited(request, { messages: [{ new: { list: [{ ref: [2, "content", 0], set: [[["content"], { lit: "short" }]] }] } }] }).messages;
    expect(message[0]).toEqual({ type: "tool_result", content: "short", cache_control: { type: "ephemeral" } });
    expect(message[0].cache_control).toBe((request.messages[2] as any).content[0].cache_control);
  });

  test("an empty path replaces the whole message", () => {
    expect(edited(request, { messages: [{ base: 0, set: [[[], { lit: "gone" }]] }] }).messages).toEqual(["gone"]);
  });
});

describe("objects that are not plain", () => {
  test("keep own keys named __proto__, and pollute nothing", () => {
    const message = JSON.parse('{"role": "user", "__proto__": {"a": [1]}, "content": "x"}');
    const [copy] = edited([message], { messages: [{ base: 0, set: [[["content"], { lit: "y" }]] }] });
    expect(JSON.stringify(copy)).toBe('{"role":"user","__proto__":{"a":[1]},"content":"y"}');
    const [deep] = edited([message], { messages: [{ base: 0, set: [[["__proto__", "a", 0], { lit: 2 }]] }] });
    expect(JSON.stringify(deep)).toBe('{"role":"user","__proto__":{"a":[2]},"content":"x"}');
    const [added] = edited([{}], { messages: [{ base: 0, set: [[["__proto__"], { lit: 1 }]] }] });
    expect(Object.keys(added)).toEqual(["__proto__"]);
    const [made] = edited([], { messages: [{ new: { obj: JSON.parse('{"__proto__": {"lit": 1}}') } }] });
    expect(Object.keys(made)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  test("stay of their class, and what symbols and undefined say stays", () => {
    class Message {
      role = "user";
      content = "x";
      again = undefined;
      shout(): string {
        return this.content.toUpperCase();
      }
    }
    const mark = Symbol("mark");
    const message = Object.assign(new Message(), { [mark]: 1 });
    const [copy] = edited([message], { messages: [{ base: 0, set: [[["content"], { lit: "y" }]] }] });
    expect(copy).toBeInstanceOf(Message);
    expect(copy.shout()).toBe("Y");
    expect(copy[mark]).toBe(1);
    expect("again" in copy).toBe(true);
    const [bare] = edited([Object.assign(Object.create(null), { a: 1 })], { messages: [{ base: 0, set: [[["a"], { lit: 2 }]] }] });
    expect(Object.getPrototypeOf(bare)).toBeNull();
  });

  test("are changed as their toJSON shows them", () => {
    const message = { toJSON: () => ({ role: "user", content: { toJSON: () => [{ text: "a" }] } }) };
    expect(valueAt(message, ["content", 0, "text"])).toBe("a");
    const [copy] = edited([message], { messages: [{ base: 0, set: [[["content", 0, "text"], { lit: "b" }]] }] });
    expect(copy).toEqual({ role: "user", content: [{ text: "b" }] });
  });

  test("hold nothing where a path leads nowhere", () => {
    expect(valueAt({ a: "text" }, ["a", "length"])).toBeUndefined();
    expect(valueAt({}, ["constructor"])).toBeUndefined();
    expect(valueAt(undefined, ["a"])).toBeUndefined();
  });
});

describe("a request is taken apart", () => {
  test("by the first key that holds an array", () => {
    expect(split({ messages: "x", contents: [1], input: [2] }, {})).toMatchObject({ list: "contents", messages: [1], bare: false });
    expect(split({ input: "a question" }, {})).toMatchObject({ list: undefined, messages: [] });
  });

  test("a bare array with what is sent beside it", () => {
    expect(split([1], { system: "s", tools: [] })).toMatchObject({ bare: true, envelope: { messages: [1], system: "s", tools: [] } });
  });

  test("and refused when it is no object", () => {
    for (const value of [null, undefined, 1, "[]", () => 1]) expect(() => split(value, {})).toThrow(UnsupportedFormatError);
  });
});
