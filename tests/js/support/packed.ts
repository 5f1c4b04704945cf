/** Packs the package once for all tests and installs the tarball the way a stranger would; vitest runs this before any test. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** A `node_modules` that holds the package as it would be published, and nothing else. */
    installed: string;
  }
}

const pkg = fileURLToPath(new URL("../../../pkg", import.meta.url));

export default function setup({ provide }: TestProject): () => void {
  if (!existsSync(join(pkg, "core_bg.wasm"))) throw new Error("The package is not built: run `npm run build` first.");
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "palimpsest-packed-")));
  const [tarball = ""] = npm(pkg, "pack", "--silent", "--pack-destination", folder).trim().split("\n").slice(-1);
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  // It depends on nothing, so nothing is fetched.
  npm(folder, "install", "--offline", "--no-audit", "--no-fund", "--silent", `./${tarball}`);
  provide("installed", join(folder, "node_modules"));
  return () => rmSync(folder, { recursive: true, force: true });
}

function npm(cwd: string, ...args: string[]): string {
  return execFileSync("npm", args, { cwd, encoding: "utf8", shell: process.platform === "win32" });
}
