// Takes the pictures in README.md from the package as it is built: the demo, whose figures it prints, and a page for a model.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { findChrome } from "./lib/browser.mjs";
import { buildPage } from "./lib/page.mjs";
import { root } from "./lib/run.mjs";
import { serve } from "./lib/serve.mjs";
import { story } from "../www/sessions/story.mjs";

await drawPage();

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

/** A page of the bundled session, narrow enough to be shown at its size. */
async function drawPage() {
  const { pages } = await import(pathToFileURL(join(root, "pkg/entry/node.js")).href);
  const { pages: drawn } = await pages(story()["shop.json"], { shape: { font: "6x12", cellWidth: 6, cellHeight: 12, width: 840, height: 336 } });
  writeFileSync(join(root, "docs/page.png"), drawn[0].png);
}
