/** The page that `npm start` serves, as a person uses it; the session bundled with it; and `npm start` itself. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { check, compact, measure } from "../../pkg/entry/node.js";
import { anthropicHistory, chatHistory } from "./support/history.js";
import { launch, noBrowser } from "./support/page.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** The scripts are plain JavaScript. */
const load = (path: string): Promise<any> => import(pathToFileURL(join(root, path)).href);

/** In which the bundled session is shown. */
const WINDOW = 48_000;

const folder = mkdtempSync(join(tmpdir(), "palimpsest-www-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("the bundled session", () => {
  let sessions: Record<string, any>;
  beforeAll(async () => void (sessions = (await load("www/sessions/story.mjs")).story()));

  test("is the same each time, and valid in both formats", async () => {
    const again = (await load("www/sessions/story.mjs")).story();
    expect(JSON.stringify(again)).toBe(JSON.stringify(sessions));
    for (const body of Object.values(sessions)) expect(await check(body)).toEqual([]);
  });

  test("is long, and its tools failed only where the story wants it", async () => {
    const body = sessions["shop.json"];
    expect(body.messages.length).toBeGreaterThan(120);
    expect((await measure(body)).tokens).toBeGreaterThan(70_000);
    const failures = body.messages.flatMap(({ content }: any) => content.filter(({ is_error }: any) => is_error));
    expect(failures.map(({ content }: any) => content.split("\n").at(-1).slice(0, 16))).toEqual(["psql: error: con", "exit code 1", "src/vouchers.ts:"]);
  });

  test("gives every rung something to do or a reason", async () => {
    const body = sessions["shop.json"];
    const { report } = await compact(body, { model: { id: body.model, window: WINDOW } });
    expect(report.fits).toBe(true);
    expect(report.rungs.filter(({ ran }) => ran).map(({ rung }) => rung)).toEqual(["elide", "snapshot"]);
    // The next smaller window needs them all.
    const smaller = await compact(body, { model: { id: body.model, window: 24_000 }, rungs: ["elide", "window"] });
    expect(smaller.report.rungs.map(({ rung, ran }) => [rung, ran])).toEqual([["elide", true], ["window", true]]);
  });
});

describe.skipIf(noBrowser)("the page", () => {
  let browser: Browser;
  let site: { url: string; close(): Promise<void> };
  let page: Page;
  let complaints: string[];

  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const open = (path: string): Promise<void> => page.setInputFiles("#file", path);
  const error = (): Promise<string> => page.locator("#error:not([hidden])").innerText();
  const headline = (): Promise<string> => page.locator(".headline").innerText();
  const setWindow = async (tokens: string): Promise<void> => {
    await page.fill("#tokens", tokens);
    await page.press("#tokens", "Enter");
  };

  /** Until the page knows whether anything was kept. */
  const settled = async (): Promise<void> => void (await page.waitForSelector("body[data-kept]"));

  /** What the page keeps in IndexedDB, a head a session. */
  const heads = (): Promise<any[]> =>
    page.evaluate(async () => {
      const db = await new Promise<IDBDatabase>((resolve) => (indexedDB.open("palimpsest-demo").onsuccess = ({ target }) => resolve((target as IDBOpenDBRequest).result)));
      const all = db.transaction("heads").objectStore("heads").getAll();
      return new Promise<any[]>((resolve) => (all.onsuccess = () => (db.close(), resolve(all.result))));
    });

  beforeAll(async () => {
    const built = await (await load("scripts/lib/page.mjs")).buildPage(join(folder, "www"));
    site = await (await load("scripts/lib/serve.mjs")).serve(built.folder, { port: 0 });
    browser = await launch();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });
  beforeEach(async () => {
    const context = await browser.newContext({ acceptDownloads: true });
    page = await context.newPage();
    complaints = [];
    page.on("pageerror", (failure) => complaints.push(failure.message));
    page.on("request", (request) => new URL(request.url()).origin !== new URL(site.url).origin && !/^(data|blob):/.test(request.url()) && complaints.push(`went to ${request.url()}`));
    await page.goto(site.url);
  });
  afterEach(async () => {
    await page.context().close();
    expect(complaints).toEqual([]);
  });

  test("shows the bundled session: gauge, rungs, every message", async () => {
    await page.click("#bundled");
    await page.waitForSelector(".timeline");
    const body = JSON.parse(readFileSync(join(folder, "www/sessions/shop.json"), "utf8"));
    const before = await measure(body, { model: { id: body.model, window: WINDOW } });
    expect(await page.getByRole("img", { name: /^Before: / }).getAttribute("aria-label")).toContain(`${before.tokens.toLocaleString("en-US")} of 48,000 tokens`);
    expect(await page.getByRole("img", { name: /^After: / }).count()).toBe(1);
    expect(await page.locator(".rung strong").allInnerTexts()).toEqual(["elide", "images", "snapshot", "summary", "window"]);
    expect(await page.locator(".verdict").innerText()).toMatch(/^Fits: .*breaks no rule/);

    const { body: after } = await compact(body, { model: { id: body.model, window: WINDOW } });
    const notices = after.messages.filter((message: any) => !body.messages.includes(message) && /^\[palimpsest: \d/.test(message.content[0]?.text ?? "")).length;
    expect(await page.locator(".message:not([data-role=system])").count()).toBe(body.messages.length);
    expect(await page.locator(".marker").count()).toBe(notices);
    expect(await page.locator(".message.kept:not([data-role=system])").count()).toBe(after.messages.filter((message: any) => body.messages.includes(message)).length);
    expect(await page.locator(".changed .now").first().textContent()).toMatch(/^the result of \w+ \(\d+ tokens\) was elided; reference \w+$/);
  });

  test("shows the pages that were laid, and opens one", async () => {
    await page.click("#bundled");
    await page.waitForSelector(".timeline");
    const body = JSON.parse(readFileSync(join(folder, "www/sessions/shop.json"), "utf8"));
    const { body: after, report } = await compact(body, { model: { id: body.model, window: WINDOW } });
    const sent = after.messages.flatMap(({ content }: any) => (Array.isArray(content) ? content : [])).filter(({ type }: any) => type === "image");
    expect(sent.length).toBeGreaterThan(3);
    const [record] = report.records as any[];
    expect(await page.locator(".laid").innerText()).toMatch(new RegExp(`${sent.length} pages stand for ${record.to - record.from + 1} messages, with \\d+ exact strings`));
    expect(await page.locator(".message.drawn").count()).toBe(record.to - record.from + 1);
    expect(await page.locator(".message.drawn .fate").first().textContent()).toBe("on a page");
    expect(await page.locator(".gauge").nth(1).innerText()).toContain(`${sent.length} pages`);

    const thumbs = page.getByRole("button", { name: /^Open page \d+ of \d+$/ });
    expect(await thumbs.count()).toBe(sent.length);
    await thumbs.nth(1).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: /^Page 2 of/ });
    const image = dialog.getByRole("img");
    expect(await image.getAttribute("src")).toBe(`data:image/png;base64,${sent[1].source.data}`);
    const width = (): Promise<number> => image.evaluate((img: HTMLImageElement) => img.getBoundingClientRect().width);
    const whole = await image.evaluate((img: HTMLImageElement) => img.naturalWidth);
    expect(whole).toBe(record.shape.width);
    expect(await width()).toBe(whole);
    expect(await image.evaluate((img) => getComputedStyle(img).imageRendering)).toBe("pixelated");
    for (const [name, factor] of [["2×", 2], ["3×", 3], ["1:1", 1]] as const) {
      await dialog.getByText(name, { exact: true }).click();
      expect(await width()).toBe(factor * whole);
    }
    await dialog.getByText("Fit").click();
    expect(await width()).toBeLessThan(whole);

    const sheet: string = after.messages[1].content.at(-1).text;
    expect(await dialog.getByRole("listitem").allInnerTexts()).toEqual(sheet.split("\n").slice(1));
    await dialog.getByRole("button", { name: "Previous" }).click();
    expect(await dialog.isVisible()).toBe(false); // it bears another name now
    expect(await page.locator(".viewer h2").innerText()).toMatch(/^Page 1 of/);
    expect(await page.getByRole("button", { name: "Previous" }).isDisabled()).toBe(true);
    await page.keyboard.press("Escape");
    await page.waitForSelector(".viewer", { state: "detached" });
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toMatch(/^Open page 2 of/);
  });

  test("says how many messages found no room on the pages", async () => {
    await page.click("#bundled");
    await page.waitForSelector(".timeline");
    await setWindow("32k");
    await page.waitForFunction(() => document.querySelector(".key")?.textContent?.includes("32,000"));
    expect(await page.locator(".laid").innerText()).toMatch(/of which the oldest \d+ messages found no room on them/);
    const [, leftOut] = /oldest (\d+) messages/.exec(await page.locator(".laid").innerText()) ?? [];
    expect(await page.locator(".message.dropped").count()).toBe(Number(leftOut));
  });

  test("follows the window, the model and the share at which it acts", async () => {
    await page.click("#bundled");
    await page.waitForSelector(".timeline");
    const first = await headline();
    await setWindow("64k");
    await page.waitForFunction((old) => document.querySelector<HTMLElement>(".headline")?.innerText !== old, first);
    expect(await page.locator(".key").innerText()).toContain("window ends at 64,000");

    await page.click("#model");
    await page.fill("#model", "gpt 4o");
    await page.press("#model", "ArrowDown");
    await page.press("#model", "Enter");
    expect(await page.inputValue("#model")).toBe("gpt-4o");
    await page.getByRole("button", { name: /model’s own, 128,000/ }).click();
    await page.waitForFunction(() => document.querySelector(".key")?.textContent?.includes("window ends at 128,000"));
    expect(await headline()).toMatch(/fit as they are$/);

    await page.locator("#threshold").fill("40");
    expect(await error()).toMatch(/target/);
    await page.locator("#target").fill("20");
    await page.waitForFunction(() => document.querySelector<HTMLElement>("#error")?.hidden);
  });

  test("downloads what the package makes of it, and it can be sent", async () => {
    const request = anthropicHistory(400);
    await open(file("history.json", JSON.stringify(request)));
    await page.waitForSelector(".timeline");
    await setWindow("48k");
    await page.waitForFunction(() => document.querySelector(".key")?.textContent?.includes("48,000"));
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#download")]);
    expect(download.suggestedFilename()).toBe("history.compacted.json");
    const made = JSON.parse(readFileSync(await download.path(), "utf8"));
    expect(await check(made)).toEqual([]);
    expect(made).toEqual((await compact(request, { model: { id: request.model, window: 48_000 } })).body);
  });

  test("reads chats, bare arrays and Claude Code sessions", async () => {
    const chat = chatHistory(60);
    await open(file("chat.json", JSON.stringify(chat)));
    await page.waitForSelector(".about:has-text('openai-chat') >> text=request body");
    await page.waitForSelector(".timeline");

    await open(file("bare.json", JSON.stringify(chat.messages)));
    await page.waitForSelector(".about >> text=array of messages");
    expect(await error()).toMatch(/names no model.*choose a model, or set a window/);
    await setWindow("16k");
    await page.waitForSelector(".timeline");
    expect(await page.locator("#error").isHidden()).toBe(true);

    const records = anthropicHistory(30).messages.map((message, i) => ({
      type: message.role, uuid: `u${i}`, parentUuid: i ? `u${i - 1}` : null, isSidechain: false, sessionId: "s", timestamp: "2026-01-01T00:00:00Z",
      message: { ...message, ...(message.role === "assistant" && { id: `m${i}`, model: "claude-sonnet-4-5" }) },
    }));
    await open(file("session.jsonl", records.map((record) => JSON.stringify(record)).join("\n")));
    await page.waitForSelector(".about >> text=Claude Code session");
    await page.waitForSelector(".timeline");
  });

  test("keeps the session for the next visit, with model, window and shares, until it is forgotten", async () => {
    await page.click("#bundled");
    await page.waitForSelector("#keeping >> text=Kept in this browser");
    const messages = JSON.parse(readFileSync(join(folder, "www/sessions/shop.json"), "utf8")).messages.length;
    await page.locator("#threshold").fill("70");
    await setWindow("48k");
    await page.waitForFunction(() => document.querySelector(".key")?.textContent?.includes("48,000"));
    const before = [await headline(), await page.locator("#about").innerText(), await page.inputValue("#model")];

    await expect.poll(async () => (await heads())[0]?.head.meta?.settings).toMatchObject({ window: 48_000, threshold: 0.7 });
    await page.reload();
    await page.waitForSelector(".timeline");
    expect([await headline(), await page.locator("#about").innerText(), await page.inputValue("#model")]).toEqual(before);
    expect(await page.locator(".message:not([data-role=system])").count()).toBe(messages);
    expect([await page.inputValue("#tokens"), await page.inputValue("#threshold")]).toEqual(["48,000", "70"]);

    await page.getByRole("button", { name: "Forget it" }).click();
    await page.waitForSelector("body[data-state=empty]");
    await page.reload();
    await settled();
    expect(await page.locator("body").getAttribute("data-state")).toBe("empty");
    expect(await page.locator("#keeping").isHidden()).toBe(true);
  });

  test("keeps a person's file instead of the one before, its unfinished turn too", async () => {
    await page.click("#bundled");
    await page.waitForSelector("#keeping >> text=Kept in this browser");
    const request = anthropicHistory(400);
    request.messages.push({ role: "assistant", content: [{ type: "tool_use", id: "toolu_open", name: "read", input: { path: "a" } }] } as never);
    await open(file("mine.json", JSON.stringify(request)));
    await page.waitForSelector(".about:has-text('mine.json')");
    await page.waitForSelector("#keeping >> text=Kept in this browser");
    await page.reload();
    await page.waitForSelector(".about:has-text('mine.json')");
    await page.waitForSelector(".timeline");
    await page.waitForFunction((index) => document.getElementById(`m${index}`), request.messages.length - 1);
    expect(await heads()).toHaveLength(1);
  });

  test("says in a line that nothing can be kept, and works: no IndexedDB", async () => {
    await page.route("**/worker-*.js", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: `Object.defineProperty(self, "indexedDB", { value: undefined });${await answer.text()}` });
    });
    await page.reload();
    await page.waitForSelector("#keeping >> text=/^Not kept for your next visit. .*did not open/");
    expect(await page.locator("#forget").isHidden()).toBe(true);
    await page.click("#bundled");
    await page.waitForSelector(".timeline");
    expect(await page.locator("#keeping").innerText()).toMatch(/^Not kept for your next visit\. .*did not open/);
    expect(await page.locator("#error").isHidden()).toBe(true);
  });

  test("says in a line that nothing can be kept, and works: no room", async () => {
    const driver = await page.context().newCDPSession(page);
    await driver.send("Storage.overrideQuotaForOrigin", { origin: new URL(site.url).origin, quotaSize: 100_000 });
    await page.click("#bundled");
    await page.waitForSelector("#keeping >> text=/^Not kept for your next visit. .*room/");
    await page.waitForSelector(".timeline");
    expect(await page.locator("#error").isHidden()).toBe(true);
  });

  test("says in a line that what was kept is damaged; it can be forgotten", async () => {
    await page.click("#bundled");
    await page.waitForSelector("#keeping >> text=Kept in this browser");
    await page.evaluate(async () => {
      const db = await new Promise<IDBDatabase>((resolve) => (indexedDB.open("palimpsest-demo").onsuccess = ({ target }) => resolve((target as IDBOpenDBRequest).result)));
      const writing = db.transaction("nodes", "readwrite");
      writing.objectStore("nodes").openCursor().onsuccess = ({ target }) => (target as IDBRequest<IDBCursor>).result.delete();
      await new Promise((resolve) => (writing.oncomplete = resolve));
      db.close();
    });
    await page.reload();
    await page.waitForSelector("#keeping >> text=/^Not kept for your next visit. .*gone/");
    expect(await page.locator("body").getAttribute("data-state")).toBe("empty");
    await page.getByRole("button", { name: "Forget it" }).click();
    await page.waitForSelector("#keeping", { state: "hidden" }); // by then it is gone: a page reloaded sooner takes its worker with it
    await page.reload();
    await settled();
    expect(await page.locator("#keeping").isHidden()).toBe(true);
  });

  test.each([
    ["broken.json", '{"model": "gpt-4o",\n "messages": [}', /^broken\.json: Broken JSON at line 2, column 15/],
    ["empty.json", "", /^empty\.json: The file is empty/],
    ["strange.json", '{"prompt": "hi", "model": "gpt-4o"}', /^strange\.json: .*messages/],
    ["nothing.json", '{"model": "gpt-4o", "messages": []}', /^nothing\.json: .*messages/],
    ["unknown.json", '{"model": "no-such-model-9000", "messages": [{"role": "user", "content": "hi"}]}', /no-such-model-9000.*choose a model, or set a window/],
    ["huge.json", JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "word ".repeat(200_000) }] }), /fit/],
  ])("tells in one line what is wrong with %s", async (name, text, words) => {
    await open(file(name, text));
    const line = await error();
    expect(line).toMatch(words);
    expect(line).not.toContain("\n");
    if (name === "huge.json") expect(await headline()).toMatch(/do not fit$/);
  });

  test("can be used with the keyboard, on a narrow screen too", async () => {
    await page.setViewportSize({ width: 380, height: 800 });
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".timeline");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(380);
    await page.locator("#m0 summary").focus();
    await page.keyboard.press("Enter");
    expect(await page.locator("#m0 pre").innerText()).toMatch(/^Three customers wrote to us/);
  });
});

describe("npm start", () => {
  const start = join(root, "scripts/start.mjs");
  const run = (args: string[], env: Record<string, string> = {}) => spawnSync(process.execPath, [start, "--built", ...args], { cwd: root, encoding: "utf8", env: { ...process.env, NO_COLOR: "1", ...env } });

  test("--once shows before, rungs and after, says where the page is, and ends", () => {
    const { status, stdout, stderr } = run(["--once"], { PORT: "0" });
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/\nbefore {2}[\d,]+ of 48,000 tokens/);
    expect(stdout).toMatch(/\nafter {3}[\d,]+ of 48,000 tokens/);
    expect(stdout).toMatch(/\n✓ elide +gave [\d,]+ tokens/);
    expect(stdout).toMatch(/\n✓ snapshot +gave [\d,]+ tokens/);
    expect(stdout).toMatch(/\nhttp:\/\/localhost:\d+\/ /);
  });

  test("Ctrl-C ends it cleanly", async () => {
    const child = spawn(process.execPath, [start, "--built"], { cwd: root, env: { ...process.env, PORT: "0" }, stdio: ["ignore", "pipe", "inherit"] });
    let said = "";
    for await (const text of child.stdout.setEncoding("utf8")) {
      said += text;
      if (/http:\/\/localhost:\d+\//.test(text)) child.kill("SIGINT");
    }
    const [code] = child.exitCode === null ? await once(child, "exit") : [child.exitCode];
    expect(code).toBe(0);
    expect(said).toMatch(/Stopped\.\n$/);
  });

  test("a port that is taken, or is none, is one line", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    try {
      expect(run(["--once"], { PORT: String(port) })).toMatchObject({ status: 1, stderr: `npm start failed: port ${port} is taken; set PORT to another.\n` });
      expect(run(["--once"], { PORT: "door" })).toMatchObject({ status: 1, stderr: 'npm start failed: PORT must be a number from 0 to 65535, not "door".\n' });
      const { serve } = await load("scripts/lib/serve.mjs");
      const next = await serve(folder, { port });
      expect(Number(new URL(next.url).port)).toBeGreaterThan(port);
      await next.close();
    } finally {
      server.close();
    }
  });

  test("serves what lies in its folder and nothing else", async () => {
    const { serve } = await load("scripts/lib/serve.mjs");
    const inner = mkdtempSync(join(folder, "inner-"));
    writeFileSync(join(inner, "index.html"), "<p>here</p>");
    writeFileSync(join(folder, "secret.txt"), "no");
    const { url, close } = await serve(inner, { port: 0 });
    const get = async (path: string): Promise<number> => (await fetch(url + path)).status;
    expect(await get("")).toBe(200);
    expect(await get("none")).toBe(404);
    expect(await get("%2e%2e/secret.txt")).toBe(404);
    expect(await get("..%2fsecret.txt")).toBe(404);
    expect(await get("%")).toBe(404);
    await close();
  });
});
