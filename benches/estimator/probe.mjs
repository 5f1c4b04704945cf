// Builds the estimator alone for WebAssembly and wraps it for JavaScript.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
export const TABLES = ["o200k", "cl100k", "claude", "gemini", "llama", "qwen", "deepseek", "mistral", "other"];

/** `estimate(text, table)`, and `load(bytes)` with `scan(table)` to time the scan alone. */
export async function estimator() {
  const target = process.env.CARGO_TARGET_DIR ?? join(here, "../../target/estimator");
  const done = spawnSync("cargo", ["build", "--release", "--quiet", "--target", "wasm32-unknown-unknown", "--manifest-path", join(here, "Cargo.toml")], {
    env: { ...process.env, CARGO_TARGET_DIR: target },
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (done.status !== 0) throw new Error("the estimator does not build for wasm32-unknown-unknown");
  const file = readFileSync(join(target, "wasm32-unknown-unknown/release/estimator_probe.wasm"));
  const { instance } = await WebAssembly.instantiate(file);
  const { room, tokens, memory } = instance.exports;
  const encoder = new TextEncoder();
  let at = 0;
  let size = 0;
  let used = 0;
  const need = (bytes) => {
    if (bytes > size) at = room((size = Math.max(bytes, 1 << 20)));
  };
  return {
    bytes: file.length,
    estimate(text, table = "o200k") {
      need(3 * text.length);
      const { written } = encoder.encodeInto(text, new Uint8Array(memory.buffer, at, size));
      return tokens(at, written, TABLES.indexOf(table));
    },
    load(bytes) {
      need(bytes.length);
      new Uint8Array(memory.buffer, at, size).set(bytes);
      used = bytes.length;
    },
    scan: (table = "o200k") => tokens(at, used, TABLES.indexOf(table)),
  };
}
