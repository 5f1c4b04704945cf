// What the package brings along of others, so that it depends on nothing: bundled into pkg/vendor/, each beside its licence.

import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "./run.mjs";

/** Package by the name of the file it becomes. */
const brought = { idb: "idb" };

/** Writes them; names of what was written. */
export async function vendor(pkg) {
  const names = [];
  mkdirSync(join(pkg, "vendor"), { recursive: true });
  for (const [name, from] of Object.entries(brought)) {
    const folder = join(root, "node_modules", from);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const outfile = join(pkg, "vendor", `${name}.js`);
    const banner = { js: `/*! ${from} ${version}, ${license}: see ${name}.LICENSE */` };
    await build({ entryPoints: [from], absWorkingDir: root, outfile, bundle: true, format: "esm", target: "es2022", banner, logLevel: "error" });
    copyFileSync(join(folder, "LICENSE"), join(pkg, "vendor", `${name}.LICENSE`));
    names.push(`vendor/${name}.js`, `vendor/${name}.LICENSE`);
  }
  return names;
}
