// Builds the npm package into pkg/: the module from the crate, the TypeScript around it, its papers; then weighs it.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { cjkFace } from "./faces-cjk.mjs";
import { budget, gzipSize, kilobytes, overBudget } from "./lib/budget.mjs";
import { ask, nodeBin, root } from "./lib/run.mjs";
import { vendor } from "./lib/vendor.mjs";
import { buildWasm, coreFiles } from "./lib/wasm.mjs";
import { setup } from "./setup.mjs";

const template = join(root, "pkg-template");
const pkg = join(root, "pkg");

/** Builds everything; throws an error with one line when a part fails or a budget is passed. */
export async function build() {
  await buildWasm(pkg);
  await buildScript();
  weigh();
}

/** Everything but the core, which must be there. */
export async function buildScript() {
  const wanted = new Set([...coreFiles, ...papers(), ...script(), ...cjkFace(pkg), ...(await vendor(pkg))]);
  prune(wanted);
}

/** package.json, README and licences; names of what was copied. */
function papers() {
  mkdirSync(pkg, { recursive: true });
  const names = [];
  const copy = (name, text) => {
    names.push(name);
    writeFileSync(join(pkg, name), text);
  };
  // One version for both: the crate's.
  const version = /^version\s*=\s*"(.+)"/m.exec(readFileSync(join(root, "Cargo.toml"), "utf8"))[1];
  const manifest = JSON.parse(readFileSync(join(template, "package.json"), "utf8"));
  copy("package.json", JSON.stringify({ ...manifest, version }, null, 2) + "\n");
  copy("README.md", readFileSync(join(template, "README.md")));
  for (const name of readdirSync(root)) if (/^(LICENSE|CHANGELOG)/.test(name)) copy(name, readFileSync(join(root, name)));
  return names;
}

/** The TypeScript; names of what was emitted. */
function script() {
  const project = join(template, "tsconfig.json");
  const to = ["--outDir", pkg, "--rootDir", join(template, "src")];
  const args = ["-p", project, ...to, "--noEmit", "false", "--noEmitOnError", "--listEmittedFiles", "--pretty", "false"];
  const done = spawnSync(nodeBin("tsc"), args, { cwd: root, encoding: "utf8", shell: process.platform === "win32" });
  if (done.status !== 0) {
    console.error(done.stdout + done.stderr);
    throw new Error("TypeScript found mistakes");
  }
  const emitted = [...done.stdout.matchAll(/^TSFILE:\s*(.+?)\s*$/gm)].map((match) => relative(pkg, match[1]));
  return emitted.map((name) => name.replaceAll("\\", "/"));
}

/** Takes out what an earlier build left and this one did not write. */
function prune(wanted) {
  for (const entry of readdirSync(pkg, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !wanted.has(relative(pkg, path).replaceAll("\\", "/"))) rmSync(path);
  }
}

/** Prints the sizes and refuses what is too large. */
function weigh() {
  const wasm = readFileSync(join(pkg, "core_bg.wasm"));
  const sizes = { wasmGzip: gzipSize(wasm), tarball: tarballSize() };
  console.log(`core_bg.wasm  ${kilobytes(wasm.length)} raw, ${kilobytes(sizes.wasmGzip)} gzip (budget ${kilobytes(budget.wasmGzip)})`);
  if (sizes.tarball) console.log(`npm package   ${kilobytes(sizes.tarball)} packed (budget ${kilobytes(budget.tarball)})`);
  const over = overBudget(sizes);
  if (over.length) throw new Error(`too large: ${over.join("; ")}`);
}

/** Bytes of the npm package, packed; 0 when there is none. */
export function tarballSize() {
  if (!existsSync(join(pkg, "package.json"))) return 0;
  const printed = ask("npm", ["pack", "--dry-run", "--json"], { cwd: pkg, shell: process.platform === "win32" });
  if (!printed) throw new Error("npm pack failed");
  // A list in older npm, an object by package name in newer.
  const found = Object.values(JSON.parse(printed))[0];
  return found.size;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await setup({ quiet: true });
  try {
    await build();
  } catch (error) {
    console.error(`The build failed: ${error.message}.`);
    process.exit(1);
  }
}
