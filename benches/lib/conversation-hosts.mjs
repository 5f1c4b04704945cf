// Where the measures of conversations run: in a process, a browser's page, a Durable Object.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { findChrome } from "../../scripts/lib/browser.mjs";
import { serve } from "../../scripts/lib/serve.mjs";
import { measures } from "./conversation-measures.mjs";
import { fresh } from "./fresh.mjs";

export const inMemory = (sizes) => fresh("conversation-case.mjs", sizes);

/** In a profile on disk: what a private window keeps stays in memory. Nothing where there is no browser. */
export async function inChromium(sizes) {
  const executablePath = findChrome();
  if (executablePath === undefined) return undefined;
  const { chromium } = await import("playwright-core");
  return inFolder(async (folder) => {
    await bundle("conversation-page.mjs", join(folder, "page/page.js"), {});
    writeFileSync(join(folder, "page/index.html"), '<!doctype html><meta charset="utf-8"><title>Conversations</title><script type="module" src="page.js"></script>');
    const site = await serve(join(folder, "page"), { port: 0 });
    const browser = await chromium.launchPersistentContext(join(folder, "profile"), { executablePath, headless: true, args: ["--no-sandbox", "--disable-gpu"] });
    try {
      const page = await browser.newPage();
      await page.goto(site.url);
      await page.waitForFunction(() => "measured" in globalThis);
      return await page.evaluate((sizes) => globalThis.measured(sizes), sizes);
    } finally {
      await browser.close();
      await site.close();
    }
  });
}

/** In workerd, through miniflare. Every call is a request to the object, some tenths of a millisecond over all the times it does something. */
export async function inWorkerd(sizes) {
  const { Miniflare } = await import("miniflare");
  return inFolder(async (folder) => {
    await bundle("conversation-object.mjs", join(folder, "worker.js"), { conditions: ["workerd"], loader: { ".wasm": "copy" } });
    const worker = new Miniflare({
      modules: true,
      modulesRoot: folder,
      modulesRules: [{ type: "CompiledWasm", include: ["**/*.wasm"] }],
      scriptPath: join(folder, "worker.js"),
      compatibilityDate: "2025-01-01",
      durableObjects: { OBJECTS: { className: "Conversations", useSQLite: true } },
    });
    const call = (op) => async (asked) => {
      const response = await worker.dispatchFetch("https://bench.example/", { method: "POST", body: JSON.stringify({ op, asked }) });
      if (!response.ok) throw new Error(await response.text());
    };
    try {
      return await measures(Object.fromEntries(["fill", "raw", "open", "close", "turns", "branches", "requests"].map((op) => [op, call(op)])), sizes);
    } finally {
      await worker.dispose();
    }
  });
}

async function bundle(script, outfile, options) {
  const entry = fileURLToPath(new URL(script, import.meta.url));
  await build({ entryPoints: [entry], outfile, bundle: true, format: "esm", target: "es2022", logLevel: "error", ...options });
}

async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
