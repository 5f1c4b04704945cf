/** The shared suite on files in Deno and Bun, where they are. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { workshop } from "../support/consumer.js";
import { storeSuite } from "./suite.js";
import { bundleProgram } from "./support/bundle.js";

const shop = workshop();

for (const [name, ...args] of [["deno", "run", "--allow-all"], ["bun"]] as const) {
  const program = process.env[name.toUpperCase()] ?? name;
  const absent = spawnSync(program, ["--version"]).status !== 0;

  test.skipIf(absent)(`fileStore in ${name}`, async () => {
    const { stdout, stderr } = spawnSync(program, [...args, await bundleProgram(shop, "suite.ts"), join(shop, name)], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({ cases: storeSuite(() => ({ open: () => Promise.reject() })).length, failed: [] });
  }, 60_000);
}
