// The WebAssembly target where rustup cannot download it: Debian's Rust, with the standard library built on the spot.

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { run, which } from "./run.mjs";
import { cargoBin, DEBIAN, DEBIAN_NAME, debianLinked, debianLinker, hasSource, hasTarget, isStd, TARGET } from "./toolchain.mjs";

const isRoot = () => process.getuid?.() === 0;

/** Whether packages can be installed here without asking anyone. */
export const canApt = () => Boolean(which("apt-get")) && isRoot();

let refreshed = false;

/** Installs Debian packages; true when it worked. */
export async function apt(packages, log) {
  if (!canApt()) return false;
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  // Old lists name versions that the mirror no longer has.
  if (!refreshed) refreshed = (await run("apt-get", ["update"], { log, env })) === 0;
  return (await run("apt-get", ["install", "-y", "--no-install-recommends", ...packages], { log, env })) === 0;
}

/** Makes Debian's Rust able to build WebAssembly; each part only where it is missing. */
export async function debianTarget(log) {
  if (!canApt()) return false;
  const parts = existsSync(join(DEBIAN, "bin/rustc")) && hasSource(DEBIAN) && which("wasm-ld") && which("lld");
  if (!parts && !(await apt(["rustc-web", "cargo-web", "rust-web-src", "lld"], log))) return false;
  const linker = debianLinker();
  if (!existsSync(linker)) {
    mkdirSync(dirname(linker), { recursive: true });
    symlinkSync(join(DEBIAN, "bin/lld"), linker);
  }
  if (!hasTarget(DEBIAN) && !(await buildStd(log))) return false;
  const rustup = which("rustup", [cargoBin]);
  return !rustup || debianLinked() || (await run(rustup, ["toolchain", "link", DEBIAN_NAME, DEBIAN], { log })) === 0;
}

/** Builds the standard library for the target and puts it where the compiler looks. */
async function buildStd(log) {
  const scratch = mkdtempSync(join(tmpdir(), "palimpsest-std-"));
  try {
    const env = {
      PATH: join(DEBIAN, "bin") + delimiter + process.env.PATH,
      RUSTC_BOOTSTRAP: "1",
      RUSTFLAGS: "-Zforce-unstable-if-unmarked",
      CARGO_TARGET_DIR: scratch,
    };
    const cwd = join(DEBIAN, "lib/rustlib/src/rust/library/sysroot");
    const cargo = join(DEBIAN, "bin/cargo");
    if ((await run(cargo, ["build", "--profile", "dist", "--target", TARGET], { log, cwd, env })) !== 0) return false;
    // One set only: with two the compiler cannot tell which std is meant (E0464).
    const lib = join(DEBIAN, "lib/rustlib", TARGET, "lib");
    rmSync(lib, { recursive: true, force: true });
    mkdirSync(lib, { recursive: true });
    const built = join(scratch, TARGET, "dist/deps");
    // std last: it is what tells later that all are there.
    const names = readdirSync(built).filter((name) => name.endsWith(".rlib"));
    names.sort((a, b) => isStd(a) - isStd(b));
    for (const name of names) copyFileSync(join(built, name), join(lib, name));
    return true;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
