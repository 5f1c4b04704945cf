// The steps of the set-up. Each looks first whether there is anything to do; looking costs milliseconds.
//
// A step: name; why (shown while it installs); group (who asks for it); `found()` says what is there, or nothing;
// `install(log)` tries; `byHand()` is the one line shown when it did not work; `vital` steps stop everything.

import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { findChrome, findChromedriver } from "./browser.mjs";
import { apt, debianTarget } from "./debian.mjs";
import { ask, nodeBin, root, run, which, whichAll } from "./run.mjs";
import { cargoBin, TARGET, wasmToolchain } from "./toolchain.mjs";

const WASM_PACK = "0.15.1";

const manifest = () => readFileSync(join(root, "Cargo.toml"), "utf8");

/** The oldest Rust the crate builds with. */
const rustVersion = () => /^rust-version\s*=\s*"([\d.]+)"/m.exec(manifest())[1];

/** Whether a version such as 1.97.0-nightly is `least` or newer. */
function atLeast(version, least) {
  const [major, minor] = version.split(".").map(Number);
  const [leastMajor, leastMinor] = least.split(".").map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

/** The version of wasm-bindgen the crate is pinned to; crate and program must be the same. */
export function wasmBindgenVersion() {
  return /^wasm-bindgen\s*=.*?"=([\d.]+)"/m.exec(manifest())[1];
}

/** The place of a program of exactly this version: on PATH, else where cargo installs. */
function cargoProgram(name, version) {
  return whichAll(name, [cargoBin]).find((path) => ask(path, ["--version"])?.split(" ")[1] === version);
}

export const findWasmBindgen = () => cargoProgram("wasm-bindgen", wasmBindgenVersion());
export const findWasmPack = () => cargoProgram("wasm-pack", WASM_PACK);

/** `cargo install`, without the long optimisation these small programs do not need: it halves the wait. */
async function cargoInstall(args, log) {
  const env = {
    CARGO_PROFILE_RELEASE_OPT_LEVEL: "1",
    CARGO_PROFILE_RELEASE_LTO: "off",
    CARGO_PROFILE_RELEASE_CODEGEN_UNITS: "16",
  };
  return (await run("cargo", ["install", "--force", ...args], { log, env })) === 0;
}

const time = (path) => (existsSync(path) ? statSync(path).mtimeMs : undefined);

export const steps = [
  {
    name: "Rust",
    why: "the core is written in it",
    vital: true,
    found() {
      const version = ask("cargo", ["--version"])?.split(" ")[1];
      return version && atLeast(version, rustVersion()) ? version : undefined;
    },
    byHand: () => `install Rust ${rustVersion()} or newer from https://rustup.rs, then run this again`,
  },
  {
    name: "npm packages",
    why: "TypeScript, Vite, the test runner and the clients under test",
    vital: true,
    found() {
      const lock = time(join(root, "package-lock.json"));
      const installed = time(join(root, "node_modules/.package-lock.json"));
      return installed !== undefined && installed >= lock ? "as the lock file says" : undefined;
    },
    // Under `npm --silent` the inner npm would not even say why it failed.
    install: async (log) => (await run("npm", ["ci"], { log, env: { npm_config_loglevel: "notice" } })) === 0,
    byHand: () => "run npm ci where the npm registry can be reached",
  },
  {
    name: "wasm32 target",
    why: "the core is compiled to WebAssembly",
    vital: true,
    found() {
      const chain = wasmToolchain();
      return chain && `${chain.name}, ${chain.version}${chain.unwinds ? "" : ", no rust-src: a fault will end the module"}`;
    },
    async install(log) {
      const rustup = which("rustup", [cargoBin]);
      if (rustup && (await run(rustup, ["target", "add", TARGET], { log })) === 0) {
        // With the sources the standard library can be built so that a panic is caught; it works without.
        await run(rustup, ["component", "add", "rust-src"], { log });
        return true;
      }
      return debianTarget(log);
    },
    byHand: () => `run rustup target add ${TARGET} && rustup component add rust-src`,
  },
  {
    name: "wasm-bindgen",
    why: "writes the JavaScript side of the module; must be the crate's version",
    vital: true,
    found: () => findWasmBindgen() && wasmBindgenVersion(),
    // Not --locked: the lock file of 0.2.130 asks for a crate version that registries have withdrawn.
    install: (log) => cargoInstall(["wasm-bindgen-cli", "--version", `=${wasmBindgenVersion()}`], log),
    byHand: () => `run cargo install wasm-bindgen-cli --version =${wasmBindgenVersion()}`,
  },
  {
    name: "wasm-opt",
    why: "makes the module smaller and faster",
    vital: true,
    found: () => existsSync(nodeBin("wasm-opt")) && "npm binaryen",
    byHand: () => "run npm ci: wasm-opt comes with the package binaryen",
  },
  {
    name: "Chromium",
    why: "the browser tests run in it",
    group: "browser",
    found: () => findChrome() && findChromedriver() && findChrome(),
    install: (log) => apt(["chromium", "chromium-driver"], log),
    byHand: () => "install Chromium and chromedriver (Debian: apt-get install chromium chromium-driver), or set CHROME and CHROMEDRIVER",
  },
  {
    name: "wasm-pack",
    why: "runs the Rust tests inside a browser",
    group: "tests",
    found: () => findWasmPack() && WASM_PACK,
    install: (log) => cargoInstall(["wasm-pack", "--version", `=${WASM_PACK}`, "--locked"], log),
    byHand: () => `run cargo install wasm-pack --version =${WASM_PACK} --locked`,
  },
  {
    name: "tesseract",
    why: "reads pages back in a test, as a second reader",
    group: "tests",
    found() {
      const english = ask("tesseract", ["--list-langs"])?.split("\n").includes("eng");
      return english ? ask("tesseract", ["--version"])?.split("\n")[0] : undefined;
    },
    install: (log) => apt(["tesseract-ocr", "tesseract-ocr-eng"], log),
    byHand: () => "install tesseract with English (Debian: apt-get install tesseract-ocr); without it one test is skipped",
  },
];
