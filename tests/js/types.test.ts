import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

test("types: what must compile does, what must not does not", () => {
  const tsc = path("../../node_modules/typescript/bin/tsc");
  const complaints = attempt(() => execFileSync(process.execPath, [tsc, "-p", path("tsconfig.json"), "--pretty", "false"], { encoding: "utf8" }));
  expect(complaints).toBe("");
});

/** What a program printed, also when it failed. */
function attempt(run: () => string): string {
  try {
    return run();
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
