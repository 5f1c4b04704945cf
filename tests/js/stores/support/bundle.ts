/** Bundles a script of these tests for where it runs. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL("..", import.meta.url));

/** Into `folder`, with a page around it, for a browser. `script`: of the stores' pages, or a whole path. */
export async function bundlePage(folder: string, script: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await bundle(resolve(here, "pages", script), join(folder, "page.js"), "browser");
  writeFileSync(join(folder, "index.html"), '<!doctype html>\n<meta charset="utf-8">\n<title>Test</title>\n<pre></pre>\n<script type="module" src="page.js"></script>\n');
}

/** For Node: one file that needs nothing else. */
export async function bundleProgram(folder: string, script: string): Promise<string> {
  const file = join(folder, script.replace(".ts", ".mjs"));
  await bundle(join(here, "programs", script), file, "node");
  return file;
}

async function bundle(from: string, to: string, platform: "browser" | "node"): Promise<void> {
  await build({ entryPoints: [from], outfile: to, bundle: true, format: "esm", target: "es2022", platform, logLevel: "error" });
}
