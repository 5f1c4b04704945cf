// Fits Claude's factors on the usage that Claude Code sessions report: there is no public tokenizer to ask.
//   PALIMPSEST_CORPUS=<folder> node claude.mjs        reads <folder>/a-*/*.jsonl
// A request's prompt is input_tokens + cache_read_input_tokens + cache_creation_input_tokens. Between two requests of
// one chain the unknown system prompt and tools cancel: the difference is what the answer and the results added.
// Half of the sessions are fitted, the other half is the check.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { solve } from "./model.mjs";
import { groupSums } from "./sums.mjs";

const root = process.argv[2] ?? process.env.PALIMPSEST_CORPUS;
if (!root || !existsSync(root)) {
  console.log("No corpus: set PALIMPSEST_CORPUS to a folder of conversations. Skipped.");
  process.exit(0);
}

const blocksOf = ({ content }) => (Array.isArray(content) ? content : [{ type: "text", text: content ?? "" }]);
const prompt = (usage) => (usage.input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);

/** Steps of a session: what each request added to the one before it in its chain, and by how much the prompt grew. */
function steps(path) {
  const records = readFileSync(path, "utf8").split("\n").flatMap((line) => {
    try {
      const record = JSON.parse(line);
      return record?.message && (record.type === "assistant" || record.type === "user") ? [record] : [];
    } catch {
      return [];
    }
  });
  const byId = new Map(records.map((record) => [record.uuid, record]));
  const chainOf = (record) => {
    if (!record.isSidechain) return "main";
    let first = record;
    for (let i = 0; i < 5000 && byId.get(first.parentUuid)?.isSidechain; i++) first = byId.get(first.parentUuid);
    return record.agentId ?? first.uuid;
  };
  const chains = new Map();
  for (const record of records) {
    const chain = chainOf(record);
    if (!chains.has(chain)) chains.set(chain, []);
    chains.get(chain).push(record);
  }
  const out = [];
  for (const list of chains.values()) {
    // One answer is spread over several lines that repeat its usage; the line with the largest output is the last word.
    const answers = new Map();
    for (const { type, message } of list) {
      if (type !== "assistant" || !message.id || !message.usage) continue;
      const answer = answers.get(message.id) ?? { usage: message.usage, blocks: new Map() };
      if ((message.usage.output_tokens ?? 0) >= (answer.usage.output_tokens ?? 0)) answer.usage = message.usage;
      for (const block of blocksOf(message)) answer.blocks.set(JSON.stringify(block), block);
      answers.set(message.id, answer);
    }
    let current;
    let added = [];
    let cut = false;
    const seen = new Set();
    for (const { type, message, isCompactSummary } of list) {
      if (type === "user") {
        added.push(...blocksOf(message));
        cut ||= isCompactSummary;
        continue;
      }
      const answer = answers.get(message.id);
      if (!answer || seen.has(answer)) continue;
      seen.add(answer);
      const growth = current && prompt(answer.usage) - prompt(current.usage);
      if (current && growth > 20 && !cut) out.push({ growth, blocks: [...current.blocks.values(), ...added] });
      [current, added, cut] = [answer, [], false];
    }
  }
  return out;
}

const KEYS = ["words", "digitGroups", "marks", "blanks", "wide", "calls", "results"];
const START = [1.2, 1.2, 1, 1, 1.2, 40, 20];
const WIDE = new Set(["words", "digitGroups", "digits", "marks", "blanks", "endings"]);

/** A step as a row of the fit; nothing when it holds pictures or thinking, whose place in the prompt is uncertain. */
function row({ growth, blocks }) {
  const sums = Object.fromEntries(KEYS.map((key) => [key, 0]));
  const text = (value) => {
    for (const [group, n] of Object.entries(groupSums(value ?? "", "O200K"))) {
      if (group === "digits") continue;
      const key = group === "endings" ? "words" : WIDE.has(group) ? group : "wide";
      sums[key] += n;
    }
  };
  for (const block of blocks) {
    if (block.type === "text") text(block.text);
    else if (block.type === "tool_use") {
      sums.calls++;
      text(block.name);
      text(JSON.stringify(block.input));
    } else if (block.type === "tool_result") {
      sums.results++;
      for (const part of blocksOf(block)) {
        if (part.type !== "text") return [];
        text(part.text);
      }
    } else return [];
  }
  return [{ growth, cells: KEYS.map((key, i) => [i, sums[key]]).filter(([, n]) => n) }];
}

/** Least absolute errors: some steps hold reminders that the session file does not show. */
function fit(rows) {
  let factors = Float64Array.from(START);
  for (let round = 0; round < 40; round++) {
    const weighted = rows.map(({ growth, cells }) => {
      const error = Math.abs(growth - value(cells, factors)) / Math.sqrt(growth);
      return { weight: 1 / Math.max(error, 0.5) / growth, count: growth, cells };
    });
    factors = solve(weighted, Float64Array.from(START), { pull: 1e-3, rounds: 300 });
  }
  return factors;
}
const value = (cells, factors) => cells.reduce((n, [i, s]) => n + s * factors[i], 0);

const sessions = [];
for (const kind of readdirSync(root).filter((name) => name.startsWith("a-"))) {
  for (const file of readdirSync(join(root, kind)).sort()) {
    const rows = steps(join(root, kind, file)).flatMap(row);
    if (rows.length > 5) sessions.push({ file, rows });
  }
}
sessions.sort((a, b) => b.rows.length - a.rows.length || (a.file < b.file ? -1 : 1));
const halves = [0, 1].map((half) => sessions.filter((_, i) => i % 4 === 3 * half || i % 4 === 2 - half));
const print = (label, factors) => console.log(label, KEYS.map((key, i) => `${key} ${factors[i].toFixed(2)}`).join(", "));
const fitted = fit(halves[0].flatMap(({ rows }) => rows));
print("fitted on one half:  ", fitted);
print("fitted on the other: ", fit(halves[1].flatMap(({ rows }) => rows)));
console.log("with the factors of the first half:");
for (const half of [0, 1]) {
  for (const { file, rows } of halves[half]) {
    const errors = rows.map(({ growth, cells }) => value(cells, fitted) / growth - 1);
    const middle = (list) => 100 * [...list].sort((a, b) => a - b)[list.length >> 1];
    const whole = rows.reduce((n, { cells }) => n + value(cells, fitted), 0) / rows.reduce((n, { growth }) => n + growth, 0) - 1;
    console.log(`  ${half ? "checked" : "fitted "} ${file.padEnd(52)} ${String(rows.length).padStart(4)} steps: median error ${middle(errors.map(Math.abs)).toFixed(1)} %, median difference ${middle(errors).toFixed(1)} %, in all ${(100 * whole).toFixed(1)} %`);
  }
}
