// The estimator against exact counts and against tokenx, over real conversations; and how fast it is.
//   PALIMPSEST_CORPUS=<folder> node benches/estimator.mjs [--files] [--table cl100k]
// The folder holds one folder a kind, each with conversation files (JSON or JSON lines).
import { existsSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { corpusTexts } from "./estimator/corpus-texts.mjs";
import { estimator } from "./estimator/probe.mjs";

const args = process.argv.slice(2);
const option = (name) => (args.includes(name) ? args.splice(args.indexOf(name), 2)[1] : undefined);
const table = option("--table") ?? "o200k";
const files = args.includes("--files");
const root = args.find((arg) => !arg.startsWith("-")) ?? process.env.PALIMPSEST_CORPUS;
if (!root || !existsSync(root)) {
  console.log("No corpus: set PALIMPSEST_CORPUS to a folder of conversations. Skipped.");
  process.exit(0);
}

const { encode } = await import(`gpt-tokenizer/encoding/${table === "cl100k" ? "cl100k_base" : "o200k_base"}`);
const { estimateTokenCount } = await import("tokenx");
const plain = { disallowedSpecial: new Set() };
const exact = (text) => encode(text, plain).length;
const ours = await estimator();

const percent = (x) => `${(100 * x).toFixed(1)}`.padStart(6);
const sorted = (list) => [...list].sort((a, b) => a - b);
const at = (list, share) => list[Math.min(list.length - 1, Math.ceil(share * list.length) - 1)] ?? 0;
/** Median, 95th percentile, worst shortfall of relative errors. */
const summary = (errors) => {
  const size = sorted(errors.map(Math.abs));
  return `${percent(at(size, 0.5))} ${percent(at(size, 0.95))} ${percent(Math.min(0, ...errors))}`;
};

const known = new Map();
const rows = [];
for (const { kind, file, texts } of corpusTexts(root)) {
  let [truth, mine, peer, short] = [0, 0, 0, 0];
  const halves = [[0, 0], [0, 0]];
  const each = [];
  for (const [i, text] of texts.entries()) {
    if (!known.has(text)) known.set(text, [exact(text), ours.estimate(text, table), estimateTokenCount(text)]);
    const [a, b, c] = known.get(text);
    truth += a;
    mine += b;
    peer += c;
    if (a >= 50) each.push(b / a - 1);
    if (a >= 50 && b < 0.9 * a) short++;
    const half = halves[i < texts.length / 2 ? 0 : 1];
    half[0] += a;
    half[1] += b;
  }
  if (!truth) continue;
  const calibrated = halves[0][1] && halves[1][0] ? (halves[1][1] * halves[0][0]) / halves[0][1] / halves[1][0] - 1 : undefined;
  rows.push({ kind, file, truth, mine: mine / truth - 1, peer: peer / truth - 1, each, short, calibrated });
}

if (files) for (const row of rows) console.log(`${row.kind}  ${row.file.padEnd(52)} ${String(row.truth).padStart(8)} ours ${percent(row.mine)} tokenx ${percent(row.peer)}`);
console.log(`\nError in % against ${table}, by file             ours: median p95 worst-under | tokenx: the same | texts of 50+ tokens, ours`);
const kinds = [...new Set(rows.map((row) => row.kind)), "all"];
for (const kind of kinds) {
  const of = rows.filter((row) => kind === "all" || row.kind === kind);
  console.log(`${kind.padEnd(4)} ${String(of.length).padStart(3)} files ${String(of.reduce((n, row) => n + row.truth, 0)).padStart(9)} tokens   ${summary(of.map((row) => row.mine))} | ${summary(of.map((row) => row.peer))} | ${summary(of.flatMap((row) => row.each))}`);
}
const second = rows.flatMap((row) => (row.calibrated === undefined ? [] : [row.calibrated]));
console.log(`calibrated on the first half of each file, the second half: ${summary(second)}`);

const sample = [...known.keys()].join("\n").slice(0, 4_000_000);
const bytes = new TextEncoder().encode(sample);
const best = (times, run) => {
  let least = Infinity;
  for (let i = 0; i < times; i++) {
    const start = performance.now();
    run();
    least = Math.min(least, performance.now() - start);
  }
  return least;
};
ours.load(bytes);
const rate = (ms) => `${(bytes.length / ms / 1000).toFixed(0)} MB/s`;
const [scan, whole, theirs, peer] = [best(15, () => ours.scan(table)), best(9, () => ours.estimate(sample, table)), best(2, () => exact(sample)), best(3, () => estimateTokenCount(sample))];
console.log(`speed over ${(bytes.length / 1e6).toFixed(1)} MB: scan in WebAssembly ${rate(scan)}, from a JavaScript string ${rate(whole)}, gpt-tokenizer ${rate(theirs)} (${(theirs / whole).toFixed(0)} times slower), tokenx ${rate(peer)}`);
