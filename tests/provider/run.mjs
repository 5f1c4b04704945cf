// Has conversations with the strict provider and prints what became of them:
//   node tests/provider/run.mjs [--client openai] [--window 8000] [--with plain|compact|compact-anyway|sliding] [--exchanges 400] [--seed 1]
//                               [--corpus a|f] [--turns N] [--stream] [--thinking] [--show]
// Without --client, all four. Prints one line a conversation (a sum for a corpus), and with --show every refusal.

import { build } from "esbuild";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { values } = parseArgs({
  options: {
    client: { type: "string" },
    window: { type: "string", default: "8000" },
    with: { type: "string", default: "plain" },
    exchanges: { type: "string", default: "400" },
    seed: { type: "string", default: "1" },
    corpus: { type: "string" },
    turns: { type: "string" },
    stream: { type: "boolean", default: false },
    thinking: { type: "boolean", default: false },
    show: { type: "boolean", default: false },
  },
});

// Node cannot read TypeScript yet. The bundle lies inside the project, where its packages are found.
mkdirSync(join(root, "target"), { recursive: true });
const folder = mkdtempSync(join(root, "target/provider-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
process.on("SIGINT", () => process.exit(130));
const outfile = join(folder, "run.mjs");
const contents = ["conversations", "fetches"].map((name) => `export * from "./${name}.js";`).join("\n");
const external = { name: "pkg", setup: ({ onResolve }) => onResolve({ filter: /pkg\// }, ({ path }) => ({ path: pathToFileURL(join(root, path.slice(path.indexOf("pkg/")))).href, external: true })) };
await build({ stdin: { contents, resolveDir: join(root, "tests/provider"), loader: "ts" }, bundle: true, format: "esm", platform: "node", packages: "external", plugins: [external], outfile });
const kit = await import(pathToFileURL(outfile).href);

process.env.PALIMPSEST_CORPUS ??= join(root, "../shared/corpus");
globalThis.AI_SDK_LOG_WARNINGS = false;
const window = Number(values.window);
const scripts = values.corpus
  ? await kit.sessions(values.corpus === "a" ? "a-claude-code" : "f-openai-chat")
  : [kit.generate({ exchanges: Number(values.exchanges), seed: Number(values.seed), thinking: values.thinking })];

for (const client of values.client ? [values.client] : kit.CLIENTS) {
  const model = kit.modelOf(client, window);
  const fetches = {
    plain: () => fetch,
    compact: () => kit.compactFirst(fetch, { model }),
    "compact-anyway": () => kit.compactFirst(fetch, { model, onUnfit: "return" }),
    sliding: () => kit.sliding(fetch, window),
  };
  const all = [];
  for (const script of scripts) {
    const turns = await kit.converse(script, { client, window, fetch: fetches[values.with](), stream: values.stream, ...(values.turns && { turns: Number(values.turns) }) });
    all.push(...turns);
    if (!values.show) continue;
    for (const { turn, asked, refused, lost } of turns) if (refused || lost) console.log(`  ${script.name} turn ${turn} (${asked} messages): ${lost ? "lost" : `${refused.kind} ${refused.rule} ${refused.status}: ${refused.message}`}`);
  }
  const { input, cached, ms, ...sum } = kit.sumOf(all);
  console.log(`${client} at ${window}, ${values.with}: ${JSON.stringify(sum)}; ${input} tokens in, ${((100 * cached) / input).toFixed(1)} % cached; ${(ms / all.length).toFixed(1)} ms a turn`);
}
process.exit(0);
