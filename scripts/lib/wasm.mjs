// From the crate to pkg/core.js and pkg/core_bg.wasm: cargo, wasm-bindgen, wasm-opt.

import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeBin, root, run } from "./run.mjs";
import { findWasmBindgen, wasmBindgenVersion } from "./steps.mjs";
import { cargoHome, TARGET, wasmToolchain } from "./toolchain.mjs";

/** Its own folder, so that builds for this machine and for the browser do not undo each other. */
const target = join(root, "target/wasm");

/** What wasm-bindgen and wasm-opt leave in pkg/, and the same bytes as text for bundlers that lose files. */
export const coreFiles = ["core.js", "core.d.ts", "core_bg.wasm", "core_bg.wasm.d.ts", "core_bg.inline.js", "core_bg.inline.d.ts"];

/**
 * Panics unwind and become errors that JavaScript can catch; without that one panic ends the module for good.
 * Engines of 2025 and before know only the first form of WebAssembly exceptions, hence "legacy".
 */
const unwinding = ["-Cpanic=unwind", "-Cllvm-args=-wasm-use-legacy-eh"];

/**
 * Up to what size (in LLVM's own measure) a function is copied to where it is called. LLVM's 225 makes a module of 412 KB after gzip, this one
 * of 380, and the larger one is a fiftieth faster at counting tokens and no faster at compacting and drawing.
 */
const copying = "-Cllvm-args=-inline-threshold=60";

/** What the compiler uses and wasm-opt must therefore accept. */
const optimise = [
  "-O3",
  "--strip-debug",
  "--strip-producers",
  "--enable-exception-handling",
  "--enable-bulk-memory",
  "--enable-bulk-memory-opt",
  "--enable-nontrapping-float-to-int",
  "--enable-sign-ext",
  "--enable-mutable-globals",
  "--enable-reference-types",
  "--enable-multivalue",
];

/** Builds the module into `pkg`; throws an error with one line when a program fails. */
export async function buildWasm(pkg) {
  const compiled = await compile();
  const stamp = createHash("sha256").update(readFileSync(compiled)).update(wasmBindgenVersion()).update(optimise.join(" ")).digest("hex");
  const stampFile = join(target, "pkg.sha256");
  const kept = existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp;
  if (kept && coreFiles.every((name) => existsSync(join(pkg, name)))) return;
  rmSync(stampFile, { force: true });
  await bind(compiled, pkg);
  writeFileSync(stampFile, stamp);
}

async function compile() {
  const chain = wasmToolchain();
  const args = ["build", "--lib", "--release", "--features", "wasm", "--target", TARGET];
  // Messages of panics hold paths; those of the machine that builds are nobody's business.
  const flags = [copying, `--remap-path-prefix=${root}=.`, `--remap-path-prefix=${cargoHome}=cargo`];
  // Between small and fast: "s" is a twentieth smaller and counts tokens a sixth slower, 3 is larger and no faster (npm run bench -- speed).
  const env = { ...chain.env, CARGO_TARGET_DIR: target, CARGO_PROFILE_RELEASE_OPT_LEVEL: "2" };
  if (chain.unwinds) {
    // Without the feature every list that is sorted brings a sort of its own.
    args.push("-Zbuild-std=std,panic_unwind", "-Zbuild-std-features=optimize_for_size");
    env.RUSTC_BOOTSTRAP = "1";
    flags.push(...unwinding, `--remap-path-prefix=${chain.sysroot}/lib/rustlib/src/rust=rust`);
  } else {
    console.log("The standard library's source is not here, so a fault in the module will end it (rustup component add rust-src).");
  }
  env.CARGO_ENCODED_RUSTFLAGS = flags.join("\x1f");
  await must("cargo", args, { env });
  return join(target, TARGET, "release/palimpsest.wasm");
}

async function bind(compiled, pkg) {
  const bound = join(target, "bound");
  rmSync(bound, { recursive: true, force: true });
  await must(findWasmBindgen(), ["--target", "web", "--out-name", "core", "--out-dir", bound, compiled]);
  mkdirSync(pkg, { recursive: true });
  const small = join(bound, "small.wasm");
  // npm's wasm-opt is a script for Node, itself compiled to WebAssembly.
  await must(nodeBin("wasm-opt"), [join(bound, "core_bg.wasm"), "-o", small, ...optimise]);
  for (const name of ["core.js", "core.d.ts", "core_bg.wasm.d.ts"]) copyFileSync(join(bound, name), join(pkg, name));
  copyFileSync(small, join(pkg, "core_bg.wasm"));
  const text = readFileSync(small).toString("base64");
  writeFileSync(join(pkg, "core_bg.inline.js"), `export default "${text}";\n`);
  writeFileSync(join(pkg, "core_bg.inline.d.ts"), "/** The module's bytes in base64. */\ndeclare const base64: string;\nexport default base64;\n");
}

async function must(command, args, options) {
  const code = await run(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args[0]} failed with code ${code}`);
}
