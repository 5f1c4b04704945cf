/** IndexedDB under what befalls databases in a browser: damage, other versions, lost connections, no room. In a real Chromium. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { workshop } from "../support/consumer.js";
import { launch, noBrowser, serve, type Site } from "../support/page.js";
import { bundlePage } from "./support/bundle.js";
import { faultsOf } from "./support/talk.js";

const shop = workshop();

describe.skipIf(noBrowser)("in Chromium", () => {
  let browser: Browser;
  let site: Site;
  let page: Page;
  beforeAll(async () => {
    await bundlePage(shop, "trouble.ts");
    site = await serve(shop);
    browser = await launch();
    page = await open();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.[Symbol.asyncDispose]();
  });

  async function open(): Promise<Page> {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(site.url);
    await page.waitForSelector("pre:not(:empty)");
    return page;
  }

  const run = (what: string, ...args: unknown[]): Promise<any> => page.evaluate(([what, args]) => (globalThis as any).run[what](...(args as unknown[])), [what, args] as const);

  describe("damage is told, with what could be saved", () => {
    test.each([
      ["gone", 9, /is gone/, 3],
      ["first", 9, /is gone/, 3],
      ["tip", 9, /tip/, 0],
      ["shape", 9, /is no object/, 3],
      ["empty", 9, /a node is no object/, 3],
      ["head", 10, /the tip is no id/, expect.stringMatching(/^corrupt-store/)],
      ["headless", 10, /the head is no object/, expect.stringMatching(/^corrupt-store/)],
    ])("%s", async (kind, saved, words, part) => {
      const told = await run("damage", kind);
      expect(told).toMatchObject({ code: "corrupt-store", message: expect.stringMatching(words), part });
      expect(told.saved.nodes.length).toBe(saved);
      expect(faultsOf(told.saved.nodes)).toEqual([]);
      expect(told.saved.nodes.at(-1).id).toBe(told.saved.tip);
      if (kind !== "headless") expect(told.saved.meta).toEqual({ title: "kept" });
    });

    test("all", async () => {
      const told = await run("damage", "all");
      expect(told).toMatchObject({ code: "corrupt-store", message: expect.stringMatching(/Nothing could be saved/) });
      expect(told.saved).toBeUndefined();
    });

    test("a later layout", async () => {
      expect(await run("damage", "later")).toMatchObject({ code: "corrupt-store", message: expect.stringMatching(/later version/) });
    });
  });

  describe("the database", () => {
    test("is let go when another tab brings a later version, and then is not touched", async () => {
      expect(await run("later")).toEqual({ opened: "opened", then: expect.stringMatching(/^corrupt-store: .*later version/) });
    });

    test("is let go when another tab deletes it, and begun anew", async () => {
      expect(await run("deleted")).toEqual({ gone: "gone", then: "nothing", again: 1 });
    });

    test("that another tab holds on to is told, and opens once that tab lets go", async () => {
      const told = await run("blocked");
      expect(told).toMatchObject({ refused: expect.stringMatching(/^load-failed: .*another tab/), then: "two" });
      expect(told.waited).toBeGreaterThan(290);
      expect(told.waited).toBeLessThan(2_000);
    });

    test("that another tab lets go of in time is opened, and stays so", async () => {
      expect(await run("slow")).toEqual({ usable: true });
    });

    test("that the browser does not give is told", async () => {
      expect(await run("closed")).toEqual({ refused: expect.stringMatching(/^load-failed: .*The user denied/) });
    });
  });

  describe("a lost connection", () => {
    test.each(["InvalidStateError", "UnknownError"])("(%s) is opened once more, and what was asked is done", async (how) => {
      expect(await run("dropped", 1, how)).toEqual({ commit: 2, opened: 1 });
    });

    test("that is lost again at once is the caller's to know", async () => {
      expect(await run("dropped", 2, "InvalidStateError")).toEqual({ commit: expect.stringMatching(/^load-failed: .*InvalidStateError/), opened: 1 });
    });

    test("while commits are made, as the browser takes all data away: each is made or refused, and it goes on", async () => {
      const cdp = await page.context().newCDPSession(page);
      const committing = run("committing");
      let times = 0;
      let soFar: Record<string, number> = {};
      while (times < 200 && !(soFar["made"]! > 20 && soFar["conflict"]! > 5)) {
        await new Promise((resolve) => setTimeout(resolve, 60 + (times++ % 12) * 7));
        await cdp.send("Storage.clearDataForOrigin", { origin: new URL(site.url).origin, storageTypes: "indexeddb" });
        soFar = await run("soFar");
      }
      await run("stop");
      const results = await committing;
      // A conflict: what the commit was made from is gone. Where the browser is still at it, the database does not open.
      const { made, conflict, "load-failed": unopened = 0, ...others } = results;
      expect(others).toEqual({});
      expect(conflict).toBeGreaterThan(5);
      expect(unopened).toBeLessThanOrEqual(times);
      expect(made).toBeGreaterThan(20);
    });
  });

  test("no room: QuotaError with nothing half-written, what was there is read, and it goes on once room is made", async () => {
    page = await open();
    const cdp = await page.context().newCDPSession(page);
    const { origin } = new URL(site.url);
    await cdp.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 5_000_000 });
    const told = await run("fill");
    expect(told).toMatchObject({ code: "quota", name: "QuotaError", cause: "QuotaExceededError", same: true });
    expect(told.revision).toBeGreaterThan(5);
    expect(told.listed).toEqual([["talk", told.revision], ["ballast", 1]]);
    // Another page of the same site reads it, too.
    const other = await page.context().newPage();
    await other.goto(site.url);
    await other.close();
    const after = await run("goOn");
    expect(after).toMatchObject({ made: 1, nodes: 1 });
    console.log(`quota: ${told.revision} commits of 100 KB in 5 MB beside 1.5 MB; ${after.tries} tries after 1.5 MB were removed`);
  }, 60_000);

  test("what is removed where nothing may be written is gone, everyone hears of it, and its revisions are never used again", async () => {
    page = await open();
    const cdp = await page.context().newCDPSession(page);
    const { origin } = new URL(site.url);
    await cdp.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1_000_000 });
    await run("prepared");
    await cdp.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });
    expect(await run("crammed")).toMatch(/^quota: /);
    expect(await run("removed")).toEqual({ refused: expect.stringMatching(/^quota: /), heard: [0], listed: false, later: "nothing" });
    await cdp.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 5_000_000 });
    expect(await run("begun")).toEqual({ other: 3, gone: 3 });
  });
});
