import { describe, expect, test } from "vitest";
import "../../pkg/entry/node.js";
import { readSession } from "../../pkg/read-session.js";

const body = { model: "gpt-4o", messages: [{ role: "user", content: "Grüße, 字 😀" }] };
const text = JSON.stringify(body, null, 2);
const utf16 = (order: "le" | "be"): Uint8Array => {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return order === "le" ? bytes : bytes.swap16();
};

describe("a request", () => {
  test.each<[string, string | Uint8Array]>([
    ["as text", text],
    ["as bytes", Buffer.from(text)],
    ["in one line", JSON.stringify(body)],
    ["in one line with blank ones after", `${JSON.stringify(body)}\n\n  \n`],
    ["with a byte order mark", Buffer.from(`\ufeff${text}`)],
    ["in UTF-16, little end first", utf16("le")],
    ["in UTF-16, big end first", utf16("be")],
    ["with line ends of Windows", text.replaceAll("\n", "\r\n")],
  ])("is read %s", async (_, file) => {
    expect(await readSession(file)).toEqual({ kind: "request", request: body, lines: 0, skipped: 0 });
  });

  test("may be a bare array", async () => {
    expect(await readSession(JSON.stringify(body.messages))).toMatchObject({ kind: "messages", request: body.messages });
  });
});

/** A Claude Code record. */
function record(uuid: string, parentUuid: string | null, type: "user" | "assistant", message: object): object {
  return { type, uuid, parentUuid, isSidechain: false, sessionId: "s", timestamp: "2026-01-01T00:00:00Z", message };
}
const use = (id: string): object => ({ type: "tool_use", id, name: "Read", input: { path: id } });
const result = (id: string): object => ({ type: "tool_result", tool_use_id: id, content: `words of ${id}` });
const session = [
  record("1", null, "user", { role: "user", content: "Read both." }),
  record("2", "1", "assistant", { id: "m1", role: "assistant", model: "claude-sonnet-4-5", content: [{ type: "text", text: "I will." }] }),
  record("3", "2", "assistant", { id: "m1", role: "assistant", model: "claude-sonnet-4-5", content: [use("a")] }),
  record("4", "3", "assistant", { id: "m1", role: "assistant", model: "claude-sonnet-4-5", content: [use("b")] }),
  { ...record("5", "3", "user", { role: "user", content: [result("a")] }), toolUseResult: { huge: "x".repeat(1000) } },
  record("6", "4", "user", { role: "user", content: [result("b")] }),
  record("7", "6", "assistant", { id: "m2", role: "assistant", model: "<synthetic>", content: [{ type: "text", text: "Done." }] }),
];
const lines = session.map((line) => JSON.stringify(line));

describe("a Claude Code session", () => {
  test("is one request: lines of one message joined, results that stand beside the path brought in", async () => {
    const { kind, format, request, lines: count } = await readSession(lines.join("\n"));
    expect([kind, format, count]).toEqual(["claude-code", "anthropic", 7]);
    expect(request).toEqual({
      model: "claude-sonnet-4-5",
      messages: [
        { role: "user", content: "Read both." },
        { role: "assistant", content: [{ type: "text", text: "I will." }, use("a"), use("b")] },
        { role: "user", content: [result("a")] },
        { role: "user", content: [result("b")] },
        { role: "assistant", content: [{ type: "text", text: "Done." }] },
      ],
    });
  });

  test("may have broken lines, lines that are no objects, and blank ones", async () => {
    const torn = ["not json", "42", "[1]", ...lines.slice(0, 2), "", '{"type":"user","uuid":', ...lines.slice(2)];
    const { request, lines: count, skipped } = await readSession(`\ufeff${torn.join("\r\n")}\r\n`);
    expect(request).toEqual((await readSession(lines.join("\n"))).request);
    expect(count).toBe(11);
    expect(skipped).toBeGreaterThanOrEqual(4);
  });

  test("may be a single line", async () => {
    expect(await readSession(lines[0] ?? "")).toMatchObject({ kind: "claude-code", request: { messages: [{ role: "user", content: "Read both." }] } });
  });

  test("without a message is refused", async () => {
    await expect(readSession('{"type":"summary","sessionId":"s"}\n{"type":"x","uuid":"1"}')).rejects.toMatchObject({ code: "import-failed" });
  });
});

describe("what cannot be read says where", () => {
  test.each([
    ["", "The file is empty."],
    ["  \n ", "The file is empty."],
    ['{\n "messages": [\n  {"role": "user"},\n ]\n}', "Broken JSON at line 4, column 2: expected a value."],
    ['{"messages": [', "Broken JSON at line 1, column 15: the text ends in the middle."],
    ['{"a": 1}\n{"a": 2}\n', "Broken JSON at line 2, column 1: text after the end of the value."],
    ["just words", "Broken JSON at line 1, column 1: expected a value."],
    ["42", "The file holds a number, not a request."],
    ["null", "The file holds null, not a request."],
  ])("%j", async (file, message) => {
    await expect(readSession(file)).rejects.toMatchObject({ name: "PalimpsestError", code: "import-failed", message });
  });
});

describe("a large file", () => {
  const padding = "x".repeat(100_000);
  test.each([
    ["of JSON", JSON.stringify({ messages: Array.from({ length: 120 }, () => ({ role: "user", content: padding })) })],
    ["of lines", Array.from({ length: 120 }, (_, i) => JSON.stringify({ ...record(String(i), i ? String(i - 1) : null, "user", { role: "user", content: padding }) })).join("\n")],
  ])("%s tells its progress up to the end", async (_, file) => {
    const seen: number[] = [];
    await readSession(file, (done, total) => {
      expect(total).toBe(file.length);
      seen.push(done);
    });
    expect(seen.length).toBeGreaterThan(5);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBe(file.length);
  });
});
