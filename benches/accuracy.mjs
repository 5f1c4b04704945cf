// How near the estimate comes to o200k_base, as it is and calibrated on the first half of each file.
import { textFiles } from "./lib/corpus.mjs";
import { median, quantile, sum } from "./lib/clock.mjs";
import { estimate, figures, palimpsest } from "./lib/package.mjs";
import { exact, tokenx } from "./lib/peers.mjs";
import { percent, table, thousands } from "./lib/table.mjs";

export const title = "Estimate against o200k_base, error by file";

/** A text shorter than this says little about a share. */
const LEAST = 50;
const LIMITS = "at most: median 5.0 %, 95th percentile 12.0 %, none under by more than 10.0 %; calibrated, median 3.0 %";

export async function run() {
  const files = [];
  for (const { kind, file, texts } of textFiles()) {
    const counted = await countAll(texts);
    const tokens = sum(counted.map((one) => one.exact));
    if (tokens > 0) files.push({ kind, file, tokens, ...errors(counted, tokens), calibrated: await calibrated(texts, counted) });
  }
  return { figures: { files }, text: [`${byKind(files)}\n${LIMITS}`, worst(files)] };
}

const seen = new Map();

/** `{ exact, ours, tokenx }` for each text. */
async function countAll(texts) {
  const counted = [];
  for (const text of texts) {
    if (!seen.has(text)) seen.set(text, { exact: exact(text), ours: await estimate(text), tokenx: tokenx(text) });
    counted.push(seen.get(text));
  }
  return counted;
}

function errors(counted, tokens) {
  const of = (name) => sum(counted.map((one) => one[name])) / tokens - 1;
  const long = counted.filter((one) => one.exact >= LEAST);
  return { ours: of("ours"), tokenx: of("tokenx"), each: long.map((one) => one.ours / one.exact - 1) };
}

/** The error on the second half of a file after the first half was reported as used; undefined when there are no halves. */
async function calibrated(texts, counted) {
  const half = Math.ceil(texts.length / 2);
  const truth = (from, to) => sum(counted.slice(from, to).map((one) => one.exact));
  const [first, second] = [truth(0, half), truth(half)];
  if (first < LEAST || second < LEAST) return undefined;
  const calibration = await learn(await figures(texts.slice(0, half)), first);
  const { parts } = await figures(texts.slice(half), { calibration });
  return parts.text / second - 1;
}

/** What a provider would report for these texts holds what it adds around each message; there the estimate is taken to be right. */
async function learn(measured, tokens) {
  const used = tokens + measured.parts.overhead;
  if (palimpsest.calibrate) return palimpsest.calibrate(undefined, measured, used);
  const factor = Math.min(3, Math.max(0.5, used / measured.tokens));
  return { factor, samples: 1, model: measured.model };
}

function byKind(files) {
  const kinds = [...new Set(files.map((one) => one.kind)), "all"];
  const ours = ["median", "95th", "worst under", "tokenx: median", "95th", "worst under", "calibrated: median", "95th"];
  const head = ["kind", "files", "tokens", ...ours, `texts of ${LEAST}+: median`, "95th"];
  return table(head, kinds.map((kind) => row(kind, files.filter((one) => kind === "all" || one.kind === kind))));
}

function row(kind, files) {
  const size = (list) => [percent(median(list.map(Math.abs))), percent(quantile(list.map(Math.abs), 0.95))];
  const all = (list) => [...size(list), percent(-Math.min(0, ...list))];
  const known = files.map((one) => one.calibrated).filter((error) => error !== undefined);
  const texts = files.flatMap((one) => one.each);
  return [
    kind, files.length, thousands(sum(files.map((one) => one.tokens))),
    ...all(files.map((one) => one.ours)), ...all(files.map((one) => one.tokenx)), ...size(known), ...size(texts),
  ];
}

/** The files that are furthest off, which is where to look. */
function worst(files) {
  const furthest = [...files].sort((a, b) => Math.abs(b.ours) - Math.abs(a.ours)).slice(0, 6);
  const signed = (share) => (share === undefined ? undefined : `${share < 0 ? "" : "+"}${percent(share)}`);
  const row = (one) => [`${one.kind} ${one.file}`, thousands(one.tokens), signed(one.ours), signed(one.tokenx), signed(one.calibrated)];
  return table(["furthest off", "tokens", "ours", "tokenx", "calibrated"], furthest.map(row));
}
