/** The shared suite in IndexedDB of a real Chromium. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { workshop } from "../support/consumer.js";
import { launch, noBrowser, serve, type Site } from "../support/page.js";
import { storeSuite } from "./suite.js";
import { bundlePage } from "./support/bundle.js";

const shop = workshop();

describe.skipIf(noBrowser)("indexedDBStore in Chromium", () => {
  let browser: Browser;
  let site: Site;
  let page: Page;
  beforeAll(async () => {
    await bundlePage(shop, "suite.ts");
    site = await serve(shop);
    browser = await launch();
    page = await browser.newPage();
    await page.goto(site.url);
    await page.waitForSelector("pre:not(:empty)");
  });
  afterAll(async () => {
    await browser?.close();
    await site?.[Symbol.asyncDispose]();
  });

  const names = storeSuite(() => ({ open: () => Promise.reject(new Error("runs in the page")) })).map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    test(name, async () => expect(await page.evaluate((index) => (globalThis as any).run.suite(index), index)).toBe(""));
  }
});
