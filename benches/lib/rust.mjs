// Which Rust on this machine is new enough for a peer that asks for more than the project does.
import { join } from "node:path";
import { cargoBin, DEBIAN } from "../../scripts/lib/toolchain.mjs";
import { ask, which } from "../../scripts/lib/run.mjs";

/** `{ cargo, version }` of a Rust 1.`minor` or newer: the default one, one of rustup's, or Debian's. Undefined where there is none. */
export function rustAtLeast(minor) {
  const rustup = which("rustup", [cargoBin]);
  const listed = (rustup && ask(rustup, ["toolchain", "list", "--quiet"])) || "";
  const named = listed.split(/\s+/).filter(Boolean).map((name) => ({ cargo: [rustup, "run", name, "cargo"], rustc: [rustup, "run", name, "rustc"] }));
  const plain = { cargo: ["cargo"], rustc: ["rustc"] };
  const debian = { cargo: [join(DEBIAN, "bin/cargo")], rustc: [join(DEBIAN, "bin/rustc")] };
  for (const { cargo, rustc } of [plain, ...named, debian]) {
    const version = ask(rustc[0], [...rustc.slice(1), "--version"])?.split(" ")[1];
    const [major, found] = (version ?? "").split(".").map(Number);
    // A nightly changes from day to day.
    if (major === 1 && found >= minor && !version.includes("nightly")) return { cargo, version };
  }
  return undefined;
}
