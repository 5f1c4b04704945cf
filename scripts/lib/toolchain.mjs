// Which Rust builds the WebAssembly module.
//
// Usually it is the default toolchain with the target from rustup. Where rustup cannot download (a machine that
// reaches package registries only), it is Debian's own Rust in /usr, which lives beside rustup's.

import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { ask, which } from "./run.mjs";

export const TARGET = "wasm32-unknown-unknown";

/** Where cargo keeps what it downloads. */
export const cargoHome = process.env.CARGO_HOME ?? join(homedir(), ".cargo");

/** Where `cargo install` puts programs. */
export const cargoBin = join(process.env.CARGO_INSTALL_ROOT ?? cargoHome, "bin");

/** Where Debian's Rust lives. */
export const DEBIAN = "/usr";

/** The name Debian's Rust gets in rustup. */
export const DEBIAN_NAME = "debian";

/** Whether a file of this name is the standard library itself (Debian's build leaves out the hash). */
export const isStd = (name) => /^libstd(-[0-9a-f]+)?\.rlib$/.test(name);

/** Whether the toolchain in `sysroot` has the target's standard library. */
export function hasTarget(sysroot) {
  const lib = join(sysroot, "lib/rustlib", TARGET, "lib");
  return existsSync(lib) && readdirSync(lib).some(isStd);
}

/** Whether the toolchain in `sysroot` has the sources of the standard library. */
export const hasSource = (sysroot) => existsSync(join(sysroot, "lib/rustlib/src/rust/library/std/Cargo.toml"));

/** Whether Debian's Rust is complete: compiler, target, linker, and known to rustup if there is one. */
export function debianReady() {
  if (!existsSync(join(DEBIAN, "bin/rustc")) || !hasTarget(DEBIAN) || !existsSync(debianLinker())) return false;
  return !which("rustup", [cargoBin]) || debianLinked();
}

/** Whether rustup knows Debian's Rust by its name. */
export function debianLinked() {
  const home = process.env.RUSTUP_HOME ?? join(homedir(), ".rustup");
  return existsSync(join(home, "toolchains", DEBIAN_NAME, "bin/rustc"));
}

/** Debian ships its linker under another name than rustc looks for. */
export function debianLinker() {
  const machine = { x64: "x86_64", arm64: "aarch64" }[process.arch] ?? process.arch;
  return join(DEBIAN, "lib/rustlib", `${machine}-unknown-linux-gnu/bin/rust-lld`);
}

/**
 * The toolchain that builds WebAssembly, or undefined when none can.
 * `env` is what cargo and wasm-pack need in their environment. `unwinds` tells whether the standard library can be
 * built anew with unwinding, so that a panic becomes an error that JavaScript can catch.
 */
export function wasmToolchain() {
  const sysroot = ask("rustc", ["--print", "sysroot"]);
  const own = sysroot && hasTarget(sysroot) && {
    name: "default toolchain", version: version("rustc"), sysroot, env: {}, unwinds: hasSource(sysroot),
  };
  if (own && own.unwinds) return own;
  if (debianReady()) {
    // Without rustup the name means nothing, so Debian's programs go first on PATH instead.
    const env = debianLinked()
      ? { RUSTUP_TOOLCHAIN: DEBIAN_NAME }
      : { PATH: join(DEBIAN, "bin") + delimiter + process.env.PATH };
    const found = version(join(DEBIAN, "bin/rustc"));
    return { name: "debian toolchain", version: found, sysroot: DEBIAN, env, unwinds: hasSource(DEBIAN) };
  }
  return own || undefined;
}

const version = (rustc) => ask(rustc, ["--version"])?.split(" ")[1] ?? "?";
