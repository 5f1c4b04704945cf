// `npm run bench`: figures of the package as it was built, beside peers or a floor of the same run. benches/README.md explains them.
//
//   npm run bench -- estimator speed     only these sections
//   --json     the figures as JSON, nothing else on standard output
//   --built    takes pkg/ as it is: no set-up, no build

import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { setup } from "./setup.mjs";

/** Names, in the order in which they run, and the files of benches/ behind them. */
const SECTIONS = {
  estimator: "accuracy",
  speed: "speed",
  compact: "compact",
  memory: "memory",
  stability: "stability",
  conversation: "conversation",
  sizes: "sizes",
  shapes: "shapes",
  pages: "pages",
  fetch: "fetch",
  peers: "peers",
};

async function main() {
  const { values, positionals } = options();
  const names = positionals.length ? positionals : Object.keys(SECTIONS);
  const unknown = names.filter((name) => !(name in SECTIONS));
  if (unknown.length) throw new Error(`no section is called ${unknown.join(", ")}; there are ${Object.keys(SECTIONS).join(", ")}`);

  // The figures alone go to standard output when they are for a program.
  if (values.json) console.log = console.error;
  if (!values.built) {
    await setup({ quiet: true });
    const { build } = await import("./build.mjs");
    await build();
  }
  const { corpusFolder } = await import("../benches/lib/corpus.mjs"); // there only after the build
  const corpus = corpusFolder() !== undefined;
  const texts = corpus ? "the corpus" : "no corpus (set PALIMPSEST_CORPUS): the bundled session and the project's own words instead";
  console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, ${texts}`);

  const figures = { node: process.version, corpus };
  for (const name of names) {
    const section = await import(`../benches/${SECTIONS[name]}.mjs`);
    const start = Date.now();
    const { text, figures: found } = await section.run();
    figures[name] = found;
    console.log(`\n${section.title} (${name}, ${((Date.now() - start) / 1000).toFixed(0)} s)\n\n${text.join("\n\n")}`);
  }
  if (values.json) process.stdout.write(`${JSON.stringify(figures, null, 1)}\n`);
}

function options() {
  try {
    return parseArgs({ options: { json: { type: "boolean" }, built: { type: "boolean" } }, allowPositionals: true });
  } catch (error) {
    throw new Error(`${error.message.split(". ")[0]}; there are --json and --built`);
  }
}

main().catch((error) => {
  console.error(`npm run bench failed: ${error.message.replace(/\.$/, "")}.`);
  process.exit(1);
});
