// Speed of `compact` beside `JSON.parse(JSON.stringify(body))` in the same process: below the threshold, down to 64k, and by size.
import { fresh } from "./lib/fresh.mjs";
import { mb, ms, table, thousands, times } from "./lib/table.mjs";

export const title = "compact, beside JSON.parse(JSON.stringify(body)) in the same process";

const MILLION = 1_000_000;
const FORMATS = ["openai-chat", "anthropic"];
/** Bytes of a message, and how much longer than the trip through JSON a pass below the threshold may take. */
const MESSAGES = [
  [8000, 2],
  [800, 3],
];

/** Megabytes of a body, and how often it is tried. */
const SIZES = [
  [4, 24],
  [16, 12],
  [64, 5],
];

export async function run() {
  const ten = [];
  const bySize = [];
  for (const [each, limit] of MESSAGES) {
    for (const format of FORMATS) {
      for (const window of [undefined, 64_000]) {
        const taken = await fresh("compact-case.mjs", { format, size: 10 * MILLION, each, window, rounds: 12 });
        ten.push({ ...taken, limit: window ? undefined : limit });
      }
    }
    for (const [size, rounds] of SIZES) bySize.push(await fresh("compact-case.mjs", { format: FORMATS[1], size: size * MILLION, each, rounds }));
  }
  return { figures: { ten, bySize }, text: [speeds(ten), growth(bySize)] };
}

function speeds(cases) {
  const head = ["10 MB", "each message", "messages", "compacted to", "there and back", "compact", "ratio", "at most"];
  const row = (one) => [
    one.format, `${one.each} B`, thousands(one.messages), one.window ? "64k" : "as it is",
    ms(one.floor), ms(one.ours), times(one.ratio), one.limit && `${one.limit}×`,
  ];
  return table(head, cases.map(row));
}

function growth(cases) {
  const beside = ["compact a MB, beside 4 MB", "there and back, the same"];
  const head = ["below threshold", "each message", "there and back, a MB", "compact, a MB", "ratio", ...beside];
  const perMb = (one, who) => one[who] / (one.bytes / MILLION);
  const row = (one) => {
    const smallest = cases.find((other) => other.each === one.each);
    const grown = (who) => times(perMb(one, who) / perMb(smallest, who));
    return [mb(one.bytes), `${one.each} B`, ms(perMb(one, "floor")), ms(perMb(one, "ours")), times(one.ratio), grown("ours"), grown("floor")];
  };
  return table(head, cases.map(row));
}
