// What the module's memory grows to, beside the body: one call of `compact` in a process of its own.
import { fresh } from "./lib/fresh.mjs";
import { mb, ms, table, thousands, times } from "./lib/table.mjs";

export const title = "WebAssembly memory after one compact, beside the body";

const LIMIT = 4;

export async function run() {
  const cases = [];
  for (const each of [8000, 800]) {
    for (const format of ["openai-chat", "anthropic"]) {
      for (const window of [undefined, 64_000]) cases.push(await fresh("compact-case.mjs", { format, size: 10_000_000, each, window }));
    }
    cases.push(await fresh("compact-case.mjs", { format: "anthropic", size: 64_000_000, each }));
  }
  const head = ["body", "format", "each message", "messages", "compacted to", "memory", "ratio", "at most", "this first call"];
  const row = (one) => [
    mb(one.bytes), one.format, `${one.each} B`, thousands(one.messages), one.window ? "64k" : "as it is",
    mb(one.memory), times(one.ratio), `${LIMIT}×`, ms(one.ours),
  ];
  return { figures: cases, text: [table(head, cases.map(row))] };
}
