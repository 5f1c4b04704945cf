import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pages } from "../../pkg/entry/node.js";
import { anthropicHistory, chatHistory } from "./support/history.js";
import { readPng } from "./support/png.js";

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

/** A text of any kind: here what a build printed. */
const log = Array.from({ length: 600 }, (_, line) => `[${line}] src/parts/part${line % 9}.ts:${line} compiled in ${line % 50} ms\n`).join("");

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
  write("log.txt", log);
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

describe("pages", () => {
  const files = (name: string): string[] => readdirSync(join(folder, name)).sort();

  test.each([
    ["a request", "pages anthropic.json --model claude-opus-5", /^8x13 in cells of 8 × 16, 196 × 49 letters a page$/m],
    ["a bare array", "pages bare.json --model claude-opus-4-8", /^8x13 in cells of 11 × 16, 140 × 49 letters a page$/m],
    ["a session, by its own model", "pages session.jsonl", /^8x13 in cells of 11 × 16, 140 × 49 letters a page$/m],
    ["a text", "pages log.txt --model claude-opus-5", /^8x13 in cells of 8 × 16, 196 × 49 letters a page$/m],
    ["denser", "pages log.txt --model claude-opus-5 --density dense", /^6x12 in cells of 6 × 12, /m],
    ["a cell of one's own", "pages log.txt --model claude-opus-5 --cell 7x12", / in cells of 7 × 12, /m],
  ])("of %s: a file each, the exact strings, and a table", (title, words, shape) => {
    const out = title.replaceAll(/\W/g, "-");
    const { status, stdout, stderr } = run(`${words} --out ${out}`);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(shape);
    expect(stdout).toMatch(/\n[\d,]+ exact strings in facts\.txt\n[\d,]+ tokens as pages, [\d,]+ as text: saves \d+%\n$/);
    const rows = [...stdout.matchAll(/^ {2}(page-\d\d\.png) +(\d+) × (\d+) +[\d,]+ letters +[\d,]+ tokens +([\d,]+) B$/gm)];
    expect(files(out)).toEqual(["facts.txt", ...rows.map(([, name]) => name)]);
    for (const [, name = "", width, height, size = ""] of rows) {
      const png = readFileSync(join(folder, out, name));
      expect(readPng(png)).toMatchObject({ width: Number(width), height: Number(height) });
      expect(png.length).toBe(Number(size.replaceAll(",", "")));
    }
    expect(readFileSync(join(folder, out, "facts.txt"), "utf8")).toMatch(/^(\S.*\n)+$/);
  });

  test("--json prints what the API tells, and where the files are", async () => {
    const told = JSON.parse(run("pages log.txt --model claude-opus-5 --out told --json").stdout);
    const { pages: drawn, ...set } = await pages(log, { model: "claude-opus-5" });
    expect(told).toEqual({ ...set, files: drawn.map((_, index) => join("told", `page-0${index + 1}.png`)) });
    drawn.forEach(({ png }, index) => expect(readFileSync(join(folder, told.files[index]))).toEqual(Buffer.from(png)));
  });

  test("--max-pages leaves the oldest out; what stood in the folder is written over, the rest stays", () => {
    mkdirSync(join(folder, "few"));
    writeFileSync(join(folder, "few/page-01.png"), "old");
    writeFileSync(join(folder, "few/own.txt"), "own");
    const { files: written } = JSON.parse(run("pages log.txt --model claude-opus-5 --max-pages 1 --out few --json").stdout);
    expect(written).toEqual([join("few", "page-01.png")]);
    expect(files("few")).toEqual(["facts.txt", "own.txt", "page-01.png"]);
    expect(readPng(readFileSync(join(folder, "few/page-01.png"))).width).toBe(1568);
  });

  test("a file with a strange name in a folder that is made; standard input is a conversation", () => {
    expect(run("pages - --model claude-opus-5 --out made/of/three --json", { input: readFileSync(join(folder, "chat.json"), "utf8") }).status).toBe(0);
    expect(files("made/of/three")).toContain("page-01.png");
  });

  test("compact takes the same options", () => {
    const { report } = JSON.parse(run("compact chat.json --model claude-opus-5 --window 48k --rungs snapshot,window --density dense --json").stdout);
    const drawn = report.records.find(({ rung }: { rung: string }) => rung === "snapshot");
    expect(drawn.shape).toMatchObject({ cellWidth: 6, cellHeight: 12 });
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
    ["pages log.txt", /pages needs --out DIR/],
    ["pages missing.txt --out there", /No such file or folder: missing\.txt/],
    ["pages folder --out there", /folder is a folder/],
    ["pages broken.json --out there", /Broken JSON at line 2, column 15/],
    ["pages strange.json --out there", /./],
    ["pages log.txt --out chat.json", /chat\.json/],
    ["pages log.txt --out there --density denser", /density/],
    ["pages log.txt --out there --cell 6", /--cell must be width and height in pixels, such as 6x12, not "6"/],
    ["pages log.txt --out there --cell 0x12", /cellWidth/],
    ["pages log.txt --out there --max-pages 0", /maxPages/],
    ["pages log.txt --out there --force", /--force is for compact, not for pages/],
    ["trim chat.json --messages 9 --density dense", /--density is for compact, pages, not for trim/],
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
