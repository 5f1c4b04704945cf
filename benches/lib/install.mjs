// The peers of `benches/package.json`, installed when they are first asked for. They are no part of the project's own set-up: 70 MB.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root, run } from "../../scripts/lib/run.mjs";

const here = fileURLToPath(new URL("..", import.meta.url));
const json = (path) => JSON.parse(readFileSync(path, "utf8"));
const wanted = json(join(here, "package.json")).dependencies;

/** Versions by name, once all are there; undefined where they cannot be had. */
export async function peers() {
  const log = join(root, "target/bench-setup.log");
  if (!complete()) await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: here, log, timeout: 180_000 });
  return complete() ? wanted : undefined;
}

function complete() {
  const manifest = (name) => join(here, "node_modules", name, "package.json");
  return Object.entries(wanted).every(([name, version]) => existsSync(manifest(name)) && json(manifest(name)).version === version);
}
