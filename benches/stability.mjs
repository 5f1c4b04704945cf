// Conversations grown message by message and compacted at each step from the whole history: does each result begin with the one before?
import { conversations, KINDS, requestsOf } from "./lib/corpus.mjs";
import { sum } from "./lib/clock.mjs";
import { palimpsest } from "./lib/package.mjs";
import { percent, table, thousands } from "./lib/table.mjs";
import { startsWith } from "./lib/trimmers/request.mjs";

export const title = "Append stability: each result begins with the one before";

const WINDOWS = [16_000, 64_000];
/** Steps of one conversation and window; longer ones are looked at in their first part. What a step costs grows with the history. */
const STEPS = 600;

export async function run() {
  const all = await conversations(KINDS);
  const rows = [];
  for (const window of WINDOWS) {
    for (const kind of [...new Set(all.map((one) => one.kind))]) {
      const grown = [];
      for (const one of all) if (one.kind === kind) grown.push(await grow(one, window));
      rows.push({ window, kind, conversations: grown.length, ...total(grown) });
    }
  }
  for (const window of WINDOWS) rows.push({ window, kind: "all", conversations: all.length, ...total(rows.filter((row) => row.window === window)) });
  const head = ["window", "kind", "conversations", "steps", "compaction due", "begins with the one before, not due", "of all steps", "refused"];
  const row = (one) => [
    `${one.window / 1000}k`, one.kind, thousands(one.conversations), thousands(one.steps),
    share(one.due, one.steps), share(one.stable, one.steps - one.due), share(one.begins, one.steps), one.refused,
  ];
  return { figures: rows, text: [table(head, rows.map(row)), ...broken(rows)] };
}

const share = (part, whole) => (whole ? percent(part / whole, part === whole ? 0 : 2) : "–");
const total = (list) => ({
  ...Object.fromEntries(["steps", "due", "stable", "begins", "refused"].map((key) => [key, sum(list.map((one) => one[key]))])),
  unstable: list.flatMap((one) => one.unstable),
});

async function grow({ name, request }, window) {
  const messages = request.messages ?? request;
  const rest = request.messages ? request : {};
  const options = { model: { id: request.model ?? "gpt-4o", window }, reserveOutput: window / 8 };
  const tally = { steps: 0, due: 0, stable: 0, begins: 0, refused: 0, unstable: [] };
  let before;
  for (const end of requestsOf(messages).slice(0, STEPS)) {
    const grown = { ...rest, messages: messages.slice(0, end) };
    const now = await palimpsest.compact(grown, options).catch(() => undefined);
    if (!now) tally.refused++;
    if (before && now) {
      tally.steps++;
      const due = await isDue(before, messages.slice(before.end, end), rest, options);
      const begins = startsWith(now.body.messages, before.body.messages);
      tally.due += due;
      tally.begins += begins;
      tally.stable += begins && !due;
      if (!begins && !due) tally.unstable.push(`${name} at message ${end}`);
    }
    before = now && { ...now, end };
  }
  return tally;
}

/** Whether the result before, with what was said since, is beyond where a pass acts. */
async function isDue({ body }, added, rest, options) {
  const { tokens, thresholdTokens } = await palimpsest.measure({ ...rest, messages: [...body.messages, ...added] }, options);
  // The replay prices what stands first at the next 64th of the window.
  return tokens + options.model.window / 64 > thresholdTokens;
}

function broken(rows) {
  const names = rows.filter((row) => row.kind !== "all").flatMap((row) => row.unstable.map((where) => `${row.window / 1000}k: ${where}`));
  return names.length ? [`Not so without need (first ${Math.min(6, names.length)} of ${names.length}):\n${names.slice(0, 6).join("\n")}`] : [];
}
