// Finds or installs whatever the project needs. `npm run setup` asks for everything; other scripts ask for less.
// It runs before `npm ci`, so it uses nothing but Node itself.

import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./lib/run.mjs";
import { steps } from "./lib/steps.mjs";

const log = join(root, "target/setup.log");

/**
 * Goes through the steps. `browser` adds Chromium, `tests` what only tests need; `quiet` hides steps already done.
 * Resolves to the names of what is missing; ends the process when a vital part is.
 */
export async function setup({ browser = false, tests = false, quiet = false } = {}) {
  mkdirSync(join(root, "target"), { recursive: true });
  const groups = { browser, tests };
  const missing = [];
  for (const step of steps) {
    if (step.group && !groups[step.group]) continue;
    const found = step.found();
    if (found) {
      if (!quiet) say("✓", step.name, `found (${found})`);
      continue;
    }
    const done = step.install && (await install(step));
    if (done) continue;
    say("✗", step.name, `missing: ${step.byHand()}${step.install ? ` (what was tried: ${log})` : ""}`);
    missing.push(step.name);
    if (step.vital) process.exit(1);
  }
  return missing;
}

async function install(step) {
  say("…", step.name, `installing: ${step.why}`);
  const start = Date.now();
  appendFileSync(log, `\n== ${step.name}\n`);
  await step.install(log);
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  const found = step.found();
  if (found) say("✓", step.name, `installed (${found}), ${seconds} s`);
  return found;
}

const say = (mark, name, text) => console.log(`${mark} ${name.padEnd(14)} ${text}`);

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const start = Date.now();
  const missing = await setup({ browser: true, tests: true });
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  console.log(missing.length ? `Set up in ${seconds} s, without: ${missing.join(", ")}.` : `Set up in ${seconds} s.`);
}
