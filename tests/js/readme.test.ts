import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anthropicHistory, chatHistory } from "./support/history.js";

const pkg = fileURLToPath(new URL("../../pkg", import.meta.url));
const examples = new Map(
  [...readFileSync(join(pkg, "README.md"), "utf8").matchAll(/^## (.+)\n\n```js\n([\s\S]+?)```/gm)].map(([, title, code]) => [title, code ?? ""]),
);
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "palimpsest-readme-"));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(pkg, join(folder, "node_modules", "palimpsest"), "junction");
  writeFileSync(join(folder, "request.json"), JSON.stringify(chatHistory(200)));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs code where the package is installed; what it prints. */
function run(code: string): string {
  writeFileSync(join(folder, "example.mjs"), code);
  const { stdout, stderr, status } = spawnSync(process.execPath, ["example.mjs"], { cwd: folder, encoding: "utf8" });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  return stdout;
}

test("each example takes about ten lines", () => {
  expect([...examples.keys()]).toEqual(["In a browser page", "In a Worker", "In Node"]);
  for (const code of examples.values()) expect(code.trimEnd().split("\n").length).toBeLessThanOrEqual(11);
});

test("the page's example", () => {
  const history = JSON.stringify(chatHistory(5).messages);
  const printed = run(`
    const history = ${history};
    globalThis.fetch = async (url, { body }) => console.log(url, JSON.parse(body).messages.length);
    ${examples.get("In a browser page")}`);
  expect(printed).toMatch(/\nwindow .+\n\/api\/chat 14\n$/);
});

test("the Worker's example", () => {
  const printed = run(`
    ${examples.get("In a Worker")?.replace("export default", "const worker =")}
    globalThis.fetch = async (url, { body }) => new Response(url + " " + JSON.parse(body).model);
    const request = new Request("https://example.org", { method: "POST", body: ${JSON.stringify(JSON.stringify(anthropicHistory(200)))} });
    console.log(await (await worker.fetch(request, { URL: "https://api.example.org", KEY: "k" })).text());`);
  expect(printed).toBe("https://api.example.org claude-sonnet-4-5\n");
});

test("Node's example", () => {
  const [, before = "", after = ""] = /^(\d+) → (\d+)\n$/.exec(run(examples.get("In Node") ?? "")) ?? [];
  expect(Number(before)).toBeGreaterThan(32_000);
  expect(Number(after)).toBeLessThan(32_000);
});
