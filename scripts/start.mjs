// `npm start`: sets up, builds, compacts the bundled session here, then serves the page that does the same in a browser.
//
//   --once    does all of it, looks at the page once, and ends
//   --built   takes pkg/ as it is: no set-up, no build of the package
//   PORT      where to serve; without it 5173 or the next free port

import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { root } from "./lib/run.mjs";
import { serve } from "./lib/serve.mjs";

/** Tokens of the window in which the session is shown: small enough for the ladder to be needed. */
const WINDOW = 48_000;

async function main() {
  const { once, built } = optionsOf(process.argv.slice(2));
  const port = portOf(process.env.PORT);
  if (!built) {
    const { setup } = await import("./setup.mjs");
    await setup();
    title("Building");
    const { build } = await import("./build.mjs");
    await build();
  }
  const { buildPage } = await import("./lib/page.mjs");
  const { folder, session } = await buildPage();

  title(`The bundled session in a window of ${WINDOW.toLocaleString("en-US")} tokens`);
  console.log(await compacted(session));

  title("The page");
  const { url, close } = await serve(folder, port);
  // Before the address is told: whoever reads it may end this at once.
  if (!once) endsCleanly(close);
  console.log(`${url}  (Ctrl-C ends it)`);
  if (!once) return;
  const { ok, status } = await fetch(url);
  await close();
  if (!ok) throw new Error(`the page answered ${status}`);
}

function endsCleanly(close) {
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, async () => {
      await close();
      console.log("\nStopped.");
      process.exit(0);
    });
  }
}

/** Before, what each rung gave, after; as the command line prints it. */
async function compacted(file) {
  const part = (name) => import(pathToFileURL(join(root, "pkg", name)).href);
  const [{ compact, measure }, { compactText }, { paperOf }] = await Promise.all([part("entry/node.js"), part("cli/print.js"), part("text/paper.js")]);
  const request = JSON.parse(readFileSync(file, "utf8"));
  const options = { model: { id: request.model, window: WINDOW } };
  const { body, report } = await compact(request, options);
  const text = compactText(report, await measure(request, options), await measure(body, options), paperOf(process.stdout));
  return `An agent looks for a fault in a small web shop (${relative(root, file)}).\n\n${text}`;
}

function optionsOf(args) {
  try {
    return parseArgs({ args, options: { once: { type: "boolean" }, built: { type: "boolean" } } }).values;
  } catch (error) {
    throw new Error(`${error.message.split(". ")[0]}; there are --once and --built`);
  }
}

function portOf(text) {
  if (text === undefined || text === "") return {};
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`PORT must be a number from 0 to 65535, not "${text}"`);
  return { port, strict: true };
}

const title = (words) => console.log(`\n${words}\n`);

main().catch((error) => {
  console.error(`npm start failed: ${error.message.replace(/\.$/, "")}.`);
  process.exit(1);
});
