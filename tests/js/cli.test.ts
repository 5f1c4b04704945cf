import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { anthropicHistory, chatHistory } from "./support/history.js";

const cli = fileURLToPath(new URL("../../pkg/cli.js", import.meta.url));
let folder: string;

/** Runs the command line in the folder of the fixtures. */
function run(words: string, options: { input?: string; env?: Record<string, string> } = {}): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...words.split(" ").filter((word) => word !== "")], {
    cwd: folder,
    encoding: "utf8",
    input: options.input ?? "",
    env: { ...process.env, ...options.env },
    maxBuffer: 1 << 28,
  });
  return { status, stdout, stderr };
}

const orphan = { model: "gpt-4o", messages: [{ role: "user", content: "hi" }, { role: "tool", tool_call_id: "lost", content: "x" }, { role: "assistant", content: "ho" }] };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "palimpsest-cli-"));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const chat = chatHistory(60);
  write("chat.json", JSON.stringify(chat));
  write("bare.json", JSON.stringify(chat.messages));
  write("anthropic.json", JSON.stringify(anthropicHistory(60)));
  write("orphan.json", JSON.stringify(orphan));
  write("broken.json", '{"model": "gpt-4o",\n "messages": [}');
  write("empty.json", "");
  write("number.json", "42");
  write("nothing.json", '{"model": "gpt-4o"}');
  write("strange.json", '{"prompt": "hi", "model": "gpt-4o"}');
  write("unknown.json", JSON.stringify({ ...orphan, model: "no-such-model-9000" }));
  write("huge.json", JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "word ".repeat(40_000) }] }));
  write("deep.json", `{"model": "gpt-4o", "messages": [{"role": "user", "content": ${"[".repeat(3000)}${"]".repeat(3000)}}]}`);
  const records = anthropicHistory(60).messages.map((message, i) => ({
    type: message.role, uuid: `u${i}`, parentUuid: i ? `u${i - 1}` : null, isSidechain: false, sessionId: "s", timestamp: "2026-01-01T00:00:00Z",
    message: { ...message, ...(message.role === "assistant" && { id: `m${i}`, model: "claude-sonnet-4-5" }) },
  }));
  write("session.jsonl", records.map((record) => JSON.stringify(record)).join("\n"));
  mkdirSync(join(folder, "folder"));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("for people", () => {
  test("context shows the gauge, its legend and what is largest", () => {
    const { status, stdout, stderr } = run("context anthropic.json --window 64k");
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^claude-sonnet-4-5 {2}[\d,]+ of 64,000 tokens \(\d+%\), 145 messages\n\[[STtrc#ipso]+[|\]].*\n/);
    expect(stdout).toMatch(/\n {2}# results +[\d,]+ +\d+%\n/);
    expect(stdout).toMatch(/\nlargest\n/);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  test("compact shows before, after and a line a rung", () => {
    const { status, stdout } = run("compact session.jsonl --window 16k");
    expect(status).toBe(0);
    expect(stdout).toMatch(/\nbefore {2}[\d,]+ of 16,000 tokens/);
    expect(stdout).toMatch(/\nafter {3}[\d,]+ of 16,000 tokens/);
    for (const rung of ["elide", "images", "window"]) expect(stdout).toMatch(new RegExp(`\n[✓–] ${rung} `));
    expect(stdout).toMatch(/\nfits: /);
  });

  test("check names the violation and exits with 1; a valid history with 0", () => {
    const { status, stdout, stderr } = run("check orphan.json");
    expect([status, stderr]).toEqual([1, ""]);
    expect(stdout).toMatch(/^✗ message 1 /);
    expect(run("check chat.json")).toMatchObject({ status: 0, stdout: expect.stringMatching(/^valid/) });
  });

  test("repair and trim say what they did", () => {
    expect(run("repair orphan.json")).toMatchObject({ status: 0, stdout: expect.stringMatching(/^~ message 1 .*\(orphan-result\)/s) });
    expect(run("repair chat.json").stdout).toBe("nothing to mend\n");
    expect(run("trim chat.json --messages 10")).toMatchObject({ status: 0, stdout: expect.stringMatching(/\nafter {3}/) });
  });

  test("no colours away from a terminal", () => {
    expect(run("context chat.json").stdout).not.toContain("\x1b");
  });

  test("--help and --version", () => {
    expect(run("--help")).toMatchObject({ status: 0, stdout: expect.stringContaining("palimpsest compact FILE") });
    expect(run("--version").stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("for programs", () => {
  test("--json prints the answer of the API", () => {
    expect(JSON.parse(run("context chat.json --json").stdout)).toMatchObject({ model: expect.stringContaining("gpt-4o"), parts: { system: expect.any(Number) } });
    expect(JSON.parse(run("check orphan.json --json").stdout)).toMatchObject([{ index: 1 }]);
    expect(JSON.parse(run("repair orphan.json --json").stdout)).toMatchObject({ repairs: [{ kind: "orphan-result" }], body: { messages: [{ role: "user" }, { role: "assistant" }] } });
    const { body, report } = JSON.parse(run("compact chat.json --window 16k --json").stdout);
    expect(report.fits).toBe(true);
    expect(body.messages.length).toBeGreaterThan(1);
    expect(JSON.parse(run("trim bare.json --exchanges 1 --model gpt-4o --json").stdout).body).toBeInstanceOf(Array);
  });

  test("--out gets the body, whole, and leaves nothing else behind", () => {
    const before = readdirSync(folder);
    const { status, stdout } = run("compact chat.json --window 16k --out small.json --json");
    expect(status).toBe(0);
    expect(Object.keys(JSON.parse(stdout))).toEqual(["report"]);
    expect(readdirSync(folder).sort()).toEqual([...before, "small.json"].sort());
    expect(JSON.parse(readFileSync(join(folder, "small.json"), "utf8"))).toEqual(JSON.parse(run("compact chat.json --window 16k --json").stdout).body);
    expect(run("check small.json").status).toBe(0);
  });

  test("--out is not touched when it fails", () => {
    writeFileSync(join(folder, "kept.json"), "kept");
    expect(run("compact huge.json --window 16k --out kept.json").status).toBe(1);
    expect(readFileSync(join(folder, "kept.json"), "utf8")).toBe("kept");
  });

  test("standard input is a file, too", () => {
    const input = readFileSync(join(folder, "chat.json"), "utf8");
    expect(run("context - --json", { input }).stdout).toBe(run("context chat.json --json").stdout);
  });

  test("a session is read along its main chain, with its own model", () => {
    const { model, messages } = JSON.parse(run("context session.jsonl --json").stdout);
    expect([model, messages]).toEqual([expect.stringContaining("claude-sonnet-4-5"), 145]);
  });

  test("a model nobody knows will do with a window", () => {
    expect(JSON.parse(run("context unknown.json --window 32k --json").stdout)).toMatchObject({ window: 32_000, model: "no-such-model-9000" });
    expect(JSON.parse(run("context bare.json --window 1m --json").stdout)).toMatchObject({ window: 1_000_000 });
  });
});

test("what cannot fit is shown, named and 1", () => {
  const { status, stdout, stderr } = run("compact huge.json --window 16k");
  expect(status).toBe(1);
  expect(stdout).toMatch(/does not fit/);
  expect(stderr).toMatch(/^palimpsest: [^\n]+\n$/);
  expect(JSON.parse(run("compact huge.json --window 16k --json").stdout)).toMatchObject({ error: { code: "cannot-fit" }, report: { fits: false } });
});

describe("bad input is one line and 1", () => {
  test.each([
    ["", /Name a command/],
    ["shrink chat.json", /No command "shrink"/],
    ["context", /Name a file/],
    ["context chat.json bare.json", /One file at a time/],
    ["context missing.json", /No such file or folder: missing\.json/],
    ["context folder", /folder is a folder/],
    ["context empty.json", /empty/],
    ["context broken.json", /Broken JSON at line 2, column 15/],
    ["context number.json", /holds a number/],
    ["compact nothing.json", /./],
    ["compact strange.json", /./],
    ["compact deep.json", /nests deeper than 512/],
    ["compact unknown.json", /no-such-model-9000.*--window/],
    ["compact bare.json", /--model/],
    ["compact chat.json --format gemini", /gemini/],
    ["compact chat.json --format nonsense", /nonsense/],
    ["compact chat.json --window many", /--window must be a number such as 16000, 16k or 1m/],
    ["compact chat.json --window 1.00001k", /whole number/],
    ["compact chat.json --rungs elide,shrink", /shrink/],
    ["compact chat.json --threshold 0.3 --target 0.5", /target/],
    ["compact chat.json --colour", /Unknown option '--colour'/],
    ["compact chat.json --out", /--out/],
    ["compact chat.json --window 16k --out no/where.json", /No such file or folder/],
    ["check chat.json --force", /--force is for compact, not for check/],
    ["trim chat.json", /trim needs --messages N/],
  ])("%s", (words, message) => {
    const { status, stdout, stderr } = run(words);
    expect(stderr).toMatch(/^palimpsest: [^\n]+\n$/);
    expect(stderr).toMatch(message);
    expect(stdout).toBe("");
    expect(status).toBe(1);
  });
});

test("files over 10 MB tell how far reading is, on standard error", () => {
  writeFileSync(join(folder, "large.json"), JSON.stringify({ model: "gpt-4o", messages: Array.from({ length: 130 }, () => ({ role: "user", content: "x ".repeat(50_000) })) }));
  const { status, stdout, stderr } = run("context large.json --json");
  expect(status).toBe(0);
  expect(stderr).toMatch(/^(reading large\.json: \d+% of 13\.0 MB\n){4}$/);
  expect(JSON.parse(stdout)).toMatchObject({ messages: 130 });
});
