// Packages that make a history smaller, over the conversations that do not fit: is what comes out a request that can be sent?
import { conversations, requestsOf } from "./lib/corpus.mjs";
import { median, sum, time } from "./lib/clock.mjs";
import { peers } from "./lib/install.mjs";
import { palimpsest } from "./lib/package.mjs";
import { ms, percent, table, thousands } from "./lib/table.mjs";
import { isInstruction, isResult } from "./lib/trimmers/request.mjs";

export const title = "Peers: conversations beyond a window of 16k, down to the same target";

const KINDS = ["a", "f", "g", "i"];
const WINDOW = 16_000;
/** Requests of one conversation: a long one must not outweigh the others. */
const EACH = 24;

export async function run() {
  const versions = await peers();
  const names = ["palimpsest", "newest", ...(versions ? ["langchain", "ai-sdk"] : [])];
  const trimmers = await Promise.all(names.map((name) => import(`./lib/trimmers/${name}.mjs`)));
  const tasks = await tooLarge();
  const rows = [];
  for (const trimmer of trimmers) rows.push({ name: trimmer.name, ...(await judge(trimmer, tasks)) });

  const whole = tasks.filter((task) => !task.broken).length;
  const head = ["", "can be sent", "valid", "valid, if it was", "within the window", "the person's last words kept", "tokens left, beside the target", "time a request"];
  const of = (count, all = tasks.length) => percent(count / all, 0);
  const row = (one) => [one.name, of(one.both), of(one.valid), of(one.stillValid, whole), of(one.fits), of(one.person), percent(one.left, 0), ms(one.milliseconds / tasks.length)];
  const said = versions ? Object.entries(versions).map(([name, version]) => `${name} ${version}`).join(", ") + "." : "The peers could not be installed: run npm ci in benches/ where the npm registry can be reached.";
  const note = `${thousands(tasks.length)} requests out of ${new Set(tasks.map((task) => task.name)).size} conversations, ${tasks.length - whole} of them broken as they came. ${said}`;
  return { figures: { requests: tasks.length, whole, versions, rows }, text: [table(head, rows.map(row)), note] };
}

/** Requests on which a pass acts, spread evenly over each conversation. */
async function tooLarge() {
  const tasks = [];
  for (const { name, request } of await conversations(KINDS)) {
    const messages = request.messages ?? request;
    const grown = requestsOf(messages).map((end) => (request.messages ? { ...request, messages: messages.slice(0, end) } : messages.slice(0, end)));
    const found = [];
    for (const one of grown) found.push(await taskOf(name, one));
    const due = found.filter(Boolean);
    const step = Math.max(1, due.length / EACH);
    for (let at = due.length - 1; at >= 0; at -= step) tasks.push(due[Math.floor(at)]);
  }
  for (const task of tasks) await price(task);
  return tasks;
}

/** What a trimmer has to know of a request; undefined when nothing needs to be done about it, or nobody can. */
async function taskOf(name, request) {
  const options = { model: { id: request.model ?? "gpt-4o", window: WINDOW }, reserveOutput: WINDOW / 8 };
  const measured = await palimpsest.measure(request, options);
  if (measured.tokens < measured.thresholdTokens) return undefined;
  const settled = { ...options, format: measured.format };
  const { report } = await palimpsest.compact(request, { ...settled, onUnfit: "return" }).catch(() => ({}));
  return report && { name, request, messages: request.messages ?? request, options: settled, measured, target: report.targetTokens };
}

/** Tokens of each message, counted once and before: what the peers are timed for is trimming. */
async function price(task) {
  const { request, messages, options, measured, target } = task;
  const empty = (await palimpsest.measure([], options)).tokens;
  task.costs = [];
  for (const message of messages) task.costs.push((await palimpsest.measure([message], options)).tokens - empty);
  task.budget = target - (measured.tokens - sum(task.costs));
  task.most = measured.window - measured.reserve;
  task.broken = (await palimpsest.check(request, options)).length > 0;
  task.fits = async (body) => (await palimpsest.measure(body, options)).tokens <= target;
}

async function judge({ trim, prepare }, tasks) {
  const tally = { valid: 0, stillValid: 0, fits: 0, both: 0, person: 0, milliseconds: 0, left: [] };
  await trim(tasks[0], prepare?.(tasks[0])); // the first call of each is slower, and not what is asked
  for (const task of tasks) {
    const list = prepare?.(task);
    let body;
    tally.milliseconds += await time(async () => (body = await trim(task, list).catch(() => undefined)));
    const messages = body && (body.messages ?? body);
    const valid = Boolean(messages?.length) && (await palimpsest.check(body, task.options)).length === 0;
    const tokens = messages ? (await palimpsest.measure(body, task.options)).tokens : Infinity;
    const fits = tokens <= task.most;
    tally.valid += valid;
    tally.stillValid += valid && !task.broken;
    tally.fits += fits;
    tally.both += valid && fits;
    tally.person += Boolean(messages) && keepsPerson(task.messages, messages);
    if (messages) tally.left.push(tokens / task.target);
  }
  return { ...tally, left: median(tally.left) };
}

function keepsPerson(before, after) {
  const person = before.findLast((message) => message.role === "user" && !isResult(message) && !isInstruction(message));
  return person === undefined || after.some((message) => JSON.stringify(message) === JSON.stringify(person));
}
