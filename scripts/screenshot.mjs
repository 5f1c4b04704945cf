// Takes the picture of the page that stands in README.md, from the package as it is built, and prints the sentence beneath it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { findChrome } from "./lib/browser.mjs";
import { buildPage } from "./lib/page.mjs";
import { root } from "./lib/run.mjs";
import { serve } from "./lib/serve.mjs";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-picture-"));
const { folder: built } = await buildPage(join(folder, "www"));
const site = await serve(built, { port: 0 });
const browser = await chromium.launch({ executablePath: findChrome(), headless: true, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1560 }, colorScheme: "light" });
  await page.goto(site.url);
  await page.click("#bundled");
  await page.waitForSelector(".timeline");
  await page.screenshot({ path: join(root, "www/screenshot.png") });
  console.log((await page.locator(".headline").innerText()).replace(/\s+/g, " "));
} finally {
  await browser.close();
  await site.close();
  rmSync(folder, { recursive: true });
}
