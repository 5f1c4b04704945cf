// Packages that make a history smaller, over the conversations that do not fit: is what comes out a request that can be sent?
import { conversations, requestsOf } from "./lib/corpus.mjs";
import { median, sum, time } from "./lib/clock.mjs";
import { peers } from "./lib/install.mjs";
import { palimpsest } from "./lib/package.mjs";
import { ms, percent, table, thousands } from "./lib/table.mjs";
import { blocksOf, isResult, startsWith, withMessages } from "./lib/trimmers/request.mjs";

export const title = "Peers that trim: requests beyond a window of 16k, down to the same target";

const KINDS = ["a", "f", "g", "i"];
const WINDOW = 16_000;
/** Requests of one conversation, from the first that is too large: a long one must not outweigh the others. */
const EACH = 50;

export async function run() {
  const versions = await peers();
  const trimmers = await load(["palimpsest", "newest", ...(versions ? ["langchain", "ai-sdk"] : [])]);
  const tasks = await tooLarge();
  const rows = [];
  for (const trimmer of trimmers) rows.push({ name: trimmer.name, ...(await judge(trimmer, tasks)) });

  const kept = ["last words kept", "calls kept", "tokens, of the target", "begins with the one before"];
  const head = ["", "valid and fits", "valid", "fits", ...kept, "a request"];
  const of = (count) => percent(count / tasks.length, 0);
  const row = (one) => [
    one.name, of(one.both), of(one.valid), of(one.fits), of(one.person), percent(one.calls, 0), percent(one.left, 0),
    percent(one.begins / one.steps, 0), ms(one.milliseconds / tasks.length),
  ];
  const from = new Set(tasks.map((task) => task.name)).size;
  const note = `${thousands(tasks.length)} requests out of ${from} conversations, each mended before by repair(). ${said(versions)}`;
  return { figures: { requests: tasks.length, versions, rows }, text: [table(head, rows.map(row)), note] };
}

/** A peer that does not run on this Node is left out. */
async function load(names) {
  const loaded = await Promise.allSettled(names.map((name) => import(`./lib/trimmers/${name}.mjs`)));
  return loaded.flatMap(({ value }) => (value ? [value] : []));
}

function said(versions) {
  if (!versions) return "The peers could not be installed: run npm ci in benches/ where the npm registry can be reached.";
  return `${Object.entries(versions).map(([name, version]) => `${name} ${version}`).join(", ")}.`;
}

/** The requests of each conversation on which a pass acts, one after the other as the conversation grew. */
async function tooLarge() {
  const tasks = [];
  for (const { name, request } of await conversations(KINDS)) {
    const messages = request.messages ?? request;
    let found = 0;
    for (const end of requestsOf(messages)) {
      const task = found < EACH && (await taskOf(name, withMessages(request, messages.slice(0, end))));
      if (task) tasks.push(task);
      found += Boolean(task);
    }
  }
  for (const task of tasks) await price(task);
  return tasks;
}

/** What a trimmer has to know of a request; undefined when nothing needs to be done about it, or nobody can. Recordings have holes, which
 *  are mended here: none of the peers says that it would. */
async function taskOf(name, recorded) {
  const options = { model: { id: recorded.model ?? "gpt-4o", window: WINDOW }, reserveOutput: WINDOW / 8 };
  const measured = await palimpsest.measure(recorded, options);
  if (measured.tokens < measured.thresholdTokens) return undefined;
  const settled = { ...options, format: measured.format };
  const mended = await palimpsest.repair(recorded, settled).catch(() => undefined);
  if (!mended) return undefined;
  const request = mended.body;
  const { report } = await palimpsest.compact(request, { ...settled, onUnfit: "return" });
  return { name, request, messages: request.messages ?? request, options: settled, measured, target: report.targetTokens };
}

/** Tokens of each message, counted once and before: what the peers are timed for is trimming. */
async function price(task) {
  const { request, messages, options, measured, target } = task;
  const empty = (await palimpsest.measure([], options)).tokens;
  task.costs = [];
  for (const message of messages) task.costs.push((await palimpsest.measure([message], options)).tokens - empty);
  task.budget = target - (measured.tokens - sum(task.costs));
  task.most = measured.window - measured.reserve;
  task.fits = async (body) => (await palimpsest.measure(body, options)).tokens <= target;
}

async function judge({ trim, prepare }, tasks) {
  const tally = { valid: 0, fits: 0, both: 0, person: 0, steps: 0, begins: 0, milliseconds: 0, calls: [], left: [] };
  await trim(tasks[0], prepare?.(tasks[0])); // the first call of each is slower, and not what is asked
  let before;
  for (const task of tasks) {
    const list = prepare?.(task);
    let body;
    tally.milliseconds += await time(async () => (body = await trim(task, list).catch(() => undefined)));
    const messages = body?.messages ?? body ?? [];
    const valid = messages.length > 0 && (await palimpsest.check(body, task.options)).length === 0;
    const tokens = body ? (await palimpsest.measure(body, task.options)).tokens : Infinity;
    const fits = tokens <= task.most;
    tally.valid += valid;
    tally.fits += fits;
    tally.both += valid && fits;
    tally.person += keepsPerson(task.messages, messages);
    tally.calls.push(callsIn(messages) / Math.max(1, callsIn(task.messages)));
    tally.left.push(Math.min(tokens, task.most) / task.target);
    if (before?.name === task.name) {
      tally.steps++;
      tally.begins += before.messages.length > 0 && startsWith(messages, before.messages);
    }
    before = { name: task.name, messages };
  }
  return { ...tally, calls: median(tally.calls), left: median(tally.left) };
}

function keepsPerson(before, after) {
  const person = before.findLast((message) => message.role === "user" && !isResult(message));
  return person === undefined || after.some((message) => JSON.stringify(message) === JSON.stringify(person));
}

const called = (message) => message.tool_calls ?? blocksOf(message).filter((block) => block.type === "tool_use");
const callsIn = (messages) => sum(messages.map((message) => called(message).length));
