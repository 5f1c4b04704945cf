// `npm test`: every suite, one after the other, also after a failure. The last line is the sum.
// `npm test -- rust js` runs only the named suites and what they need.

import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sum, summary } from "./lib/counts.mjs";
import { root } from "./lib/run.mjs";
import { suites } from "./lib/suites.mjs";
import { setup } from "./setup.mjs";

const logs = join(root, "target/test-logs");
const lines = 300;

const named = process.argv.slice(2);
const unknown = named.filter((name) => !suites.some((suite) => suite.name === name));
if (unknown.length) {
  console.error(`No suite is called ${unknown.join(", ")}. There are: ${suites.map((suite) => suite.name).join(", ")}.`);
  console.log(summary({ passed: 0, failed: 1, skipped: 0 }));
  process.exit(1);
}

/** The named suites, and those they cannot do without. */
const needed = (suite) => [suite.name, ...(suite.needs ?? [])];
const wanted = new Set(suites.filter((suite) => !named.length || named.includes(suite.name)).flatMap(needed));
const chosen = suites.filter((suite) => wanted.has(suite.name));

process.on("exit", (code) => {
  // A vital part of the set-up is missing: the process ends before any suite ran.
  if (code !== 0 && !results.size) console.log(summary({ passed: 0, failed: 1, skipped: 0 }));
});

const results = new Map();
mkdirSync(logs, { recursive: true });
const asked = (...names) => names.some((name) => wanted.has(name));
await setup({ browser: asked("js", "wasm"), tests: asked("wasm") });

for (const suite of chosen) {
  console.log(`\n${suite.name}`);
  const start = Date.now();
  const { counts, note } = await attempt(suite);
  results.set(suite.name, counts);
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  console.log(note ? `  skipped: ${note}` : `  ${summary(counts)} (${seconds} s)`);
}

const total = sum([...results.values()]);
console.log(`\n${summary(total)}`);
process.exitCode = total.failed ? 1 : 0;

/** Runs one suite; whatever goes wrong inside counts as one failure and never stops the others. */
async function attempt(suite) {
  const skipped = { passed: 0, failed: 0, skipped: 1 };
  const log = join(logs, `${suite.name}.log`);
  rmSync(log, { force: true });
  try {
    const broken = suite.needs?.find((name) => results.get(name)?.failed);
    const note = broken ? `${broken} failed` : suite.when?.();
    if (note) return { counts: skipped, note };
    const counts = await suite.run(log);
    if (counts.failed) show(log);
    return { counts };
  } catch (error) {
    console.error(error);
    return { counts: { passed: 0, failed: 1, skipped: 0 } };
  }
}

/** What a failed suite had to say, or the end of it. */
function show(log) {
  const text = readFileSync(log, "utf8").trimEnd().split("\n");
  if (text.length > lines) console.log(`  (the last ${lines} of ${text.length} lines; all of them: ${log})`);
  console.log(text.slice(-lines).map((line) => `  ${line}`).join("\n"));
}
