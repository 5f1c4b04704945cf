/** Conversations in tabs that are killed, that write at once, and that find no room. In a real Chromium, on a disk. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundlePage } from "../stores/support/bundle.js";
import { chromium as program, profile, type Profile } from "../stores/support/browsers.js";
import { killPoints, kills } from "../stores/support/kills.js";
import { workshop } from "../support/consumer.js";
import { launch, noBrowser, serve, type Site } from "../support/page.js";

const TURNS = 200;
const shop = workshop();
const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const quiet = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

describe.skipIf(noBrowser)("in Chromium", () => {
  let site: Site;
  let kept: Profile;
  let context: BrowserContext;
  beforeAll(async () => {
    const folder = join(shop, "site");
    await bundlePage(join(folder, "script"), path("pages/talk.ts"));
    copyFileSync(path("../../../pkg/core_bg.wasm"), join(folder, "core_bg.wasm"));
    site = await serve(folder);
    kept = profile();
    context = await chromium.launchPersistentContext(kept.folder, { executablePath: program!, headless: true, args: ["--no-sandbox", ...quiet] });
  });
  afterAll(async () => {
    await context?.close();
    await site?.[Symbol.asyncDispose]();
    kept?.[Symbol.dispose]();
  });

  async function open(where = context): Promise<Page> {
    const page = await where.newPage();
    await page.goto(`${site.url}script/`);
    await page.waitForSelector("pre:not(:empty)");
    return page;
  }

  const run = (page: Page, what: string, ...args: unknown[]): Promise<any> =>
    page.evaluate(([what, args]) => (globalThis as any).run[what](...(args as unknown[])), [what, args] as const);

  /** Ends the page's process, as when the tab crashes. */
  async function crash(page: Page): Promise<void> {
    const driver = await context.newCDPSession(page);
    const crashed = new Promise((resolve) => page.once("crash", resolve));
    driver.send("Page.crash").catch(() => {});
    await crashed;
    await page.close();
  }

  test(`a tab killed at ${kills} random points of ${TURNS} turns: what opens is the last whole turn, and it can be sent`, async () => {
    let within = 0;
    for (const [round, points] of killPoints(kills, 25).entries()) {
      const id = `talk ${round}`;
      let made = 0;
      for (const { turn, delay } of points) {
        const page = await open();
        const found = await run(page, "found", id);
        expect(found.faults).toEqual([]);
        // The turn that was being made may be there or not, but whole.
        expect([made, made + 1]).toContain(found.turn);
        made = found.turn;
        const reached = new Promise<void>((resolve, reject) => {
          const hear = (now: number): void => {
            made = now;
            if (now >= turn) resolve();
          };
          if (made >= turn) resolve();
          // What it comes to when the tab is killed does not matter; before, it must not fail.
          void page.exposeFunction("made", hear).then(() => run(page, "goOn", TURNS)).then(resolve, reject);
        });
        await reached;
        await new Promise((resolve) => setTimeout(resolve, delay));
        if (made < TURNS) within++;
        await crash(page);
      }
      // And it can be gone on with, to the end.
      const page = await open();
      expect((await run(page, "found", id)).faults).toEqual([]);
      await page.exposeFunction("made", () => {});
      await run(page, "goOn", TURNS);
      expect(await run(page, "found", id)).toEqual({ turn: TURNS, faults: [] });
      await page.close();
    }
    console.log(`${within} of ${kills} kills fell within the ${TURNS} turns`);
    expect(within).toBeGreaterThan(kills / 2);
  }, 60_000 + kills * 5_000);

  test("two tabs at once: every message of both is there, both answers stand side by side, and each heard of the other's", async () => {
    const pages = [await open(), await open()] as const;
    const root = await run(pages[0], "share", "shared");
    expect(await run(pages[1], "share", "shared")).toBe(root);
    const writers = ["one", "two"] as const;
    const ended = await Promise.all(pages.map((page, index) => run(page, "along", writers[index], writers[1 - index], root, TURNS)));
    console.log(`heard: ${ended.map(({ times }) => times).join(" and ")} times`);
    const tips = ended.map(({ tip }) => tip);
    for (const { messages, times, path } of ended) {
      expect([messages, path]).toEqual([4 * TURNS, 1 + 4 * TURNS]);
      // While it wrote itself, not only when it was done.
      expect(times).toBeGreaterThan(TURNS / 20);
    }
    expect(tips[0]).not.toBe(tips[1]);
    const whole = { turn: TURNS, faults: [] };
    const wanted = { whole: [whole, whole], all: 1 + 8 * TURNS, answers: 2, after: [] };
    // Both tabs see it, each at its own tip; and whoever opens it.
    for (const [index, page] of pages.entries()) expect(await run(page, "seen", undefined, root, TURNS, tips)).toMatchObject({ ...wanted, tip: tips[index] });
    const third = await open();
    const anew = await run(third, "seen", "shared", root, TURNS, tips);
    expect(anew).toMatchObject(wanted);
    expect(tips).toContain(anew.tip);
    for (const page of [...pages, third]) await page.close();
  }, 120_000);

  test("no room: QuotaError, what was there before is read, and the conversation goes on once room is made, with nothing lost or doubled", async () => {
    // One that keeps all in memory sees at once what became free; on a disk it does so once it has tidied its files.
    const browser = await launch();
    try {
      const passing = await browser.newContext();
      const page = await open(passing);
      const driver = await passing.newCDPSession(page);
      await driver.send("Storage.overrideQuotaForOrigin", { origin: new URL(site.url).origin, quotaSize: 2_500_000 });
      const full = await run(page, "fill");
      const { whole } = full;
      expect(full).toMatchObject({ quota: "quota", refusedAgain: "quota", same: true, faults: [], unsaved: [], inMemory: 2 * whole + 2 });
      expect(whole).toBeGreaterThan(5);
      expect(await run(await open(passing), "lookAt", "filled")).toMatchObject({ messages: 2 * whole, faults: [] });
      const after = await run(page, "room");
      console.log(`quota: ${whole} exchanges of 50 KB in 2.5 MB beside 0.6 MB; written at try ${after.tries} after 0.6 MB were removed`);
      expect(after).toMatchObject({ same: true, faults: [], messages: 2 * whole + 4, rows: 2 * whole + 4 });
    } finally {
      await browser.close();
    }
  }, 60_000);
});
