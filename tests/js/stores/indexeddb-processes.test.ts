/** IndexedDB under tabs and browsers that are killed, and tabs that write at once. In a real Chromium, on a disk. */
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { workshop } from "../support/consumer.js";
import { noBrowser, serve } from "../support/page.js";
import { chromium as program, profile, type Program, startChromium } from "./support/browsers.js";
import { bundlePage } from "./support/bundle.js";
import { killPoints, kills } from "./support/kills.js";
import { faultsOf } from "./support/talk.js";
import { TURNS } from "./support/turns.js";

const shop = workshop();
beforeAll(async () => void (!noBrowser && (await bundlePage(shop, "trouble.ts"))));

const quiet = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** A browser that keeps what it stores in a folder. */
const persistent = (folder: string): Promise<BrowserContext> =>
  chromium.launchPersistentContext(folder, { executablePath: program!, headless: true, args: ["--no-sandbox", ...quiet] });

async function open(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForSelector("pre:not(:empty)");
  return page;
}

const run = (page: Page, what: string, ...args: unknown[]): Promise<any> =>
  page.evaluate(([what, args]) => (globalThis as any).run[what](...(args as unknown[])), [what, args] as const);

describe.skipIf(noBrowser)("in Chromium", () => {
  test(`a browser killed at ${kills} random points: what is loaded is always what was committed last`, async () => {
    const heard: { path: string; what: any }[] = [];
    let hear = (_: string, __: any): void => {};
    await using site = await serve(shop, (path, body) => {
      if (body === "") return undefined;
      heard.push({ path, what: JSON.parse(body) });
      hear(path, JSON.parse(body));
      return "";
    });
    using kept = profile();
    for (const [round, points] of killPoints(kills, 12).entries()) {
      const start = (): Program => startChromium(kept.folder, `${site.url}#talk=talk ${round},${TURNS}`);
      let made = 0;
      for (const { turn, delay } of points) {
        let browser: Program | undefined;
        const killed = new Promise<void>((resolve, reject) => {
          hear = (path, what) => {
            if (path === "/failed") reject(new Error(what));
            // The turn that was being made when it was killed may be there or not, but whole.
            if (path === "/found" && (what.faults.length > 0 || what.turn < made || what.turn > made + 1)) reject(new Error(`after turn ${made}: ${JSON.stringify(what)}`));
            if (path === "/found") made = what.turn;
            if (path === "/made") made = what;
            if (made >= turn || path === "/whole") setTimeout(() => void browser?.kill().then(resolve), delay);
          };
          browser = start();
        });
        await killed.finally(() => browser?.kill());
      }
      // And it can be gone on with, to the end; twice, so that the end is looked at, too.
      for (const _ of ["to the end", "at the end"]) {
        let browser: Program | undefined;
        const whole = new Promise<void>((resolve, reject) => {
          hear = (path, what) => {
            if (path === "/failed") reject(new Error(what));
            if (path === "/whole") resolve();
          };
          browser = start();
        });
        await whole.finally(() => browser?.kill());
      }
      expect(heard.filter(({ path }) => path === "/found").at(-1)!.what).toEqual({ turn: TURNS, faults: [] });
    }
    expect(heard.filter(({ path }) => path === "/found").length).toBe(kills + 2 * Math.ceil(kills / 20));
  }, 60_000 + kills * 10_000);

  test(`a tab killed at ${kills} random points, the same`, async () => {
    await using site = await serve(shop);
    using kept = profile();
    const context = await persistent(kept.folder);
    try {
      for (const [round, points] of killPoints(kills, 12).entries()) {
        let made = 0;
        for (const { turn, delay } of points) {
          const page = await open(context, site.url);
          const found = await run(page, "turns", `talk ${round}`);
          expect(found.faults).toEqual([]);
          expect([made, made + 1]).toContain(found.turn);
          made = found.turn;
          const cdp = await context.newCDPSession(page);
          const reached = new Promise<void>((resolve) => {
            void page.exposeFunction("made", (now: number) => {
              made = now;
              if (now >= turn) resolve();
            }).then(() => {
              if (made >= turn) resolve();
              run(page, "talk", `talk ${round}`, TURNS).then(() => resolve(), () => {});
            });
          });
          await reached;
          await new Promise((resolve) => setTimeout(resolve, delay));
          const crashed = new Promise((resolve) => page.once("crash", resolve));
          cdp.send("Page.crash").catch(() => {});
          await crashed;
          await page.close();
        }
      }
    } finally {
      await context.close();
    }
  }, 60_000 + kills * 5_000);

  test("two tabs that write at once lose nothing of one another, and each hears of the other", async () => {
    await using site = await serve(shop);
    using kept = profile();
    const context = await persistent(kept.folder);
    try {
      const pages = [await open(context, site.url), await open(context, site.url)];
      const told = await Promise.all(pages.map((page, index) => run(page, "along", ["one", "two"][index], TURNS)));
      const stored = await run(pages[0]!, "load", "shared");
      const words = new Set(stored.nodes.map(({ message }: any) => message.content));
      for (const who of ["one", "two"]) {
        for (let turn = 0; turn < TURNS; turn++) expect([words.has(`${who} asks ${turn}`), words.has(`${who} hears ${turn}`)]).toEqual([true, true]);
      }
      expect([stored.nodes.length, stored.revision, faultsOf(stored.nodes)]).toEqual([4 * TURNS, 2 * TURNS, []]);
      console.log(`conflicts: ${told.map(({ conflicts }) => conflicts).join(" and ")}; heard of: ${told.map(({ heard }) => heard).join(" and ")} commits`);
      // They did come in each other's way, and heard of nearly all commits.
      for (const { conflicts, heard } of told) {
        expect(conflicts).toBeGreaterThan(0);
        expect(heard).toBeGreaterThan(TURNS);
      }
    } finally {
      await context.close();
    }
  }, 120_000);
});
