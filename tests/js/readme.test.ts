/** Every example of both READMEs, run where it belongs: a page in Chromium, a Worker in workerd, a program in Node. */
import { execFile, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check } from "../../pkg/entry/node.js";
import { startProvider } from "../provider/provider.js";
import { install, workshop } from "./support/consumer.js";
import { type Example, examplesIn, pageOf } from "./support/examples.js";
import { anthropicHistory, chatHistory } from "./support/history.js";
import { launch, noBrowser, serve } from "./support/page.js";
import { bundle, workerd } from "./support/worker.js";

const readmes = ["README.md", "pkg-template/README.md"].filter((name) => existsSync(at(name)));
const shop = workshop();
/** What a server answers a page. */
const REPLY = JSON.stringify({ choices: [{ message: { role: "assistant", content: "ok" } }] });
let browser: Browser | undefined;

beforeAll(async () => {
  install(shop);
  for (const name of ["openai", "@anthropic-ai", "@ai-sdk", "ai"]) symlinkSync(at(`node_modules/${name}`), join(shop, "node_modules", name), "junction");
  if (!noBrowser) browser = await launch();
});
afterAll(() => browser?.close());

function at(name: string): string {
  return fileURLToPath(new URL(`../../${name}`, import.meta.url));
}

/** What an example sent on can be sent, and is less than it was given. */
async function expectSmaller(sent: string, given: object): Promise<void> {
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.length).toBeLessThan(JSON.stringify(given).length);
  expect(await check(JSON.parse(sent))).toEqual([]);
}

const running: Record<Example["kind"], (example: Example) => Promise<void>> = {
  /** It finds a conversation as `history` and `messages` and posts a request to its own server. */
  async page(example) {
    const { messages } = chatHistory(500);
    writeFileSync(join(shop, "index.html"), `<!doctype html>\n<meta charset="utf-8">\n${pageOf(example)}`);
    let post = (_: string): void => {};
    await using site = await serve(shop, (_, body) => (body === "" ? undefined : (post(body), REPLY)));
    const page = await browser!.newPage();
    const sent = new Promise<string>((resolve, reject) => {
      post = resolve;
      page.on("pageerror", reject);
    });
    await page.addInitScript((messages) => {
      for (const name of ["history", "messages"]) Object.defineProperty(window, name, { value: messages });
    }, messages);
    await page.goto(site.url);
    await expectSmaller(await sent, messages);
    await page.close();
  },

  /** It gets a request and sends it on to whatever its settings name. */
  async worker({ code }) {
    writeFileSync(join(shop, "example.js"), code);
    await bundle(shop, "example.js");
    const sent: string[] = [];
    const settings = { URL: "https://provider.example", KEY: "k" };
    const worker = workerd(shop, async (request) => `got ${sent.push(await request.text())}`, settings);
    try {
      const request = anthropicHistory(300);
      const answer = await worker.dispatchFetch("https://worker.example", { method: "POST", body: JSON.stringify(request) });
      expect([answer.status, await answer.text()]).toEqual([200, "got 1"]);
      await expectSmaller(sent[0] ?? "", request);
    } finally {
      await worker.dispose();
    }
  },

  /** It finds a conversation as `messages`, and a provider behind the addresses and keys of its environment, whose window is smaller than anyone says. */
  async client({ code }) {
    const content = "What was said at great length, and some words more. ".repeat(40);
    const messages = Array.from({ length: 61 }, (_, at) => ({ role: at % 2 ? "assistant" : "user", content }));
    writeFileSync(join(shop, "messages.mjs"), `globalThis.messages = ${JSON.stringify(messages)};`);
    writeFileSync(join(shop, "client.mjs"), code);
    await using provider = Object.assign(await startProvider({ window: 16_000 }), { [Symbol.asyncDispose]: () => provider.close() });
    const env = {
      ...process.env,
      ...{ OPENAI_API_KEY: "k", OPENAI_BASE_URL: `${provider.url}/v1` },
      // The two SDKs for it differ in what they call the base.
      ...{ ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: provider.url },
    };
    await promisify(execFile)(process.execPath, ["--import", "./messages.mjs", "client.mjs"], { cwd: shop, env });
    expect(provider.log.map(({ kind }) => kind)).toEqual([expect.stringMatching(/^(overflow|output)$/), "ok"]);
    expect(provider.log[0]!.body.messages).toEqual(messages);
  },

  /** It finds `request.json` and prints `before → after`. */
  async node({ code }) {
    writeFileSync(join(shop, "request.json"), JSON.stringify(chatHistory(500)));
    writeFileSync(join(shop, "example.mjs"), code);
    const { stdout, stderr, status } = spawnSync(process.execPath, ["example.mjs"], { cwd: shop, encoding: "utf8" });
    expect([stderr, status]).toEqual(["", 0]);
    const [, before, after] = /(\d+) → (\d+)/.exec(stdout) ?? [];
    expect(Number(after)).toBeLessThan(Number(before));
  },
};

describe.each(readmes)("%s", (name) => {
  const examples = examplesIn(readFileSync(at(name), "utf8"));

  test("has an example for a page, a Worker, Node and clients, of about ten lines each", () => {
    expect(new Set(examples.map(({ kind }) => kind))).toEqual(new Set(["page", "worker", "node", "client"]));
    for (const { code } of examples) expect(code.trimEnd().split("\n").length, code).toBeLessThanOrEqual(11);
  });

  for (const [index, example] of examples.entries()) {
    const { kind } = example;
    test.skipIf(kind === "page" && noBrowser)(`example ${index + 1}, for a ${kind}`, () => running[kind](example));
  }
});
