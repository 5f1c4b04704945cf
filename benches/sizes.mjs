// What a page or a Worker loads, beside what counting with a tokenizer would load.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { tarballSize } from "../scripts/build.mjs";
import { budget, gzipSize, kilobytes } from "../scripts/lib/budget.mjs";
import { root } from "../scripts/lib/run.mjs";
import { pkg } from "./lib/package.mjs";
import { table } from "./lib/table.mjs";

export const title = "Sizes";

export async function run() {
  const wasm = readFileSync(join(pkg, "core_bg.wasm"));
  const sizes = {
    "core_bg.wasm": { raw: wasm.length, gzip: gzipSize(wasm), budget: budget.wasmGzip },
    "JavaScript of a page": await bundled(`export { compact, measure } from ${JSON.stringify(join(pkg, "entry/web.js"))}`),
    "npm package": { gzip: tarballSize(), budget: budget.tarball },
    "gpt-tokenizer, o200k_base": await bundled('export { encode } from "gpt-tokenizer/encoding/o200k_base"'),
    tokenx: await bundled('export { estimateTokenCount } from "tokenx"'),
  };
  const row = ([name, { raw, gzip, budget }]) => [name, raw && kilobytes(raw), kilobytes(gzip), budget && kilobytes(budget)];
  return { figures: sizes, text: [table(["", "raw", "gzip", "at most"], Object.entries(sizes).map(row))] };
}

/** What a bundler makes of a few lines for a page. The module beside the script is not in it. */
async function bundled(contents) {
  const options = { bundle: true, minify: true, format: "esm", target: "es2022", write: false, logLevel: "error" };
  const { outputFiles } = await build({ stdin: { contents, resolveDir: root }, ...options });
  const script = outputFiles[0].contents;
  return { raw: script.length, gzip: gzipSize(script) };
}
