/** Calls of every function of the package, whose answers must not depend on where it runs. */
import { readdirSync, readFileSync } from "node:fs";
import { anthropicHistory, chatHistory } from "./history.js";
import { generator, randomValue } from "./random.js";

export interface Call {
  title: string;
  name: string;
  args: unknown[];
}

const folder = new URL("../../cases/", import.meta.url);

const all = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")));

/** The small inputs of `tests/cases`: requests. */
export const cases = all.filter(({ op }) => op !== "tree");
/** Those that are steps on a conversation. */
export const treeCases = all.filter(({ op }) => op === "tree");

export function allCalls(): Call[] {
  return [...compactions(), ...broken(), ...fromCases(), ...facts(), ...drawn(), ...learnt(), ...refusals()].map((call) => JSON.parse(JSON.stringify(call)));
}

function call(title: string, name: string, ...args: unknown[]): Call {
  return { title: `${name}: ${title}`, name, args };
}

function* compactions(): Generator<Call> {
  for (const long of [anthropicHistory(200), chatHistory(200), strange(chatHistory(60))]) {
    for (const window of [16_000, 64_000]) {
      const options = { model: { id: long.model, window } };
      const title = `${long.model}, ${long.messages.length} messages, ${window}`;
      yield call(title, "compact", long, options);
      yield call(title, "measure", long, options);
      yield call(`${title}, tokenizer`, "compact", long, { ...options, countTokens: true });
      yield call(`${title}, window only`, "compact", long, { ...options, rungs: ["window"], keepExchanges: 1 });
    }
    for (const limit of [{ messages: 9 }, { exchanges: 2 }, { tokens: 9000 }]) yield call(`${long.model}, ${JSON.stringify(limit)}`, "trim", long, limit);
  }
}

/** Unknown fields, letters of all kinds and halves of them in the middle of a history. */
function strange<T extends { messages: any[] }>(request: T): T {
  const random = generator(4711);
  const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? "null");
  request.messages.forEach((message, index) => {
    if (index % 3 === 2) message["x-own"] = json(randomValue(random, 4));
    if (typeof message.content === "string") message.content += "字 é 😀 \ud83d \u2028 \u0000".repeat(index % 5);
  });
  return request;
}

/** Histories with pieces missing: their newest part only, and every other message. */
function* broken(): Generator<Call> {
  for (const whole of [anthropicHistory(9, 2), chatHistory(9, 2)]) {
    const part = { ...whole, messages: whole.messages.slice(3) };
    const holes = { ...whole, messages: whole.messages.filter((_, index) => index % 4 !== 2) };
    for (const request of [part, holes]) for (const name of ["check", "repair", "measure"]) yield call(`${whole.model}, broken`, name, request);
  }
}

function* fromCases(): Generator<Call> {
  for (const { id, op, format, input, options } of cases) {
    yield op === "trim" ? call(id, op, input, options, { format }) : call(id, op, input, { ...options, format });
  }
}

function* facts(): Generator<Call> {
  yield call("all", "models");
  const ids = ["gpt-5", "gpt-4o-mini", "claude-opus-4-1", "gemini-2.5-pro", { id: "mine", window: 9000 }];
  for (const id of ids) {
    yield call(JSON.stringify(id), "modelFacts", id);
    for (const [width, height] of [[1, 1], [1024, 768], [8000, 333], [0, 5], [1e9, 1e9]]) yield call(`${JSON.stringify(id)}, ${width}×${height}`, "imageCost", id, width, height);
  }
}

/** Pages, and the rung that lays them. */
function* drawn(): Generator<Call> {
  const requests = [anthropicHistory(40), chatHistory(40), strange(anthropicHistory(20))];
  const text = requests[0]?.messages.map(({ content }) => JSON.stringify(content)).join("\n");
  for (const model of ["claude-opus-5", "gpt-5.4", "gpt-4o", "gemini-3.5-flash", "unknown"]) {
    for (const density of ["safe", "dense"]) yield call(`${model}, ${density}`, "pages", text, { model, density });
  }
  yield call("a shape", "pages", text, { shape: { font: "5x7", cellWidth: 5, cellHeight: 9, width: 640, height: 480 } });
  yield call("letters that no face draws", "pages", "مرحبا بالعالم");
  for (const request of requests) {
    yield call(`${request.model}, its transcript`, "pages", request);
    for (const id of ["claude-opus-5", "gpt-5.4"]) yield call(`${request.model}, pages for ${id}`, "compact", request, { model: { id, window: 16_000 }, rungs: ["snapshot", "window"], keepExchanges: 1 });
  }
}

function* learnt(): Generator<Call> {
  const report = { model: "gpt-4o", tokens: 900, estimated: 1000 };
  const previous = { factor: 1.1, samples: 3, model: "gpt-4o" };
  for (const usage of [1234, { prompt_tokens: 777 }, { input_tokens: 3, cache_read_input_tokens: 1700 }, {}]) yield call(JSON.stringify(usage), "calibrate", previous, report, usage);
  yield call("no report", "calibrate", null, {}, 5);
}

function* refusals(): Generator<Call> {
  const request = chatHistory(30);
  yield call("nothing", "compact", null);
  yield call("text", "compact", "hello");
  yield call("no messages", "compact", { prompt: "hello" });
  yield call("a model nobody knows", "compact", request, { model: "no-such-model" });
  yield call("a target above the threshold", "compact", request, { threshold: 0.2, target: 0.5 });
  yield call("a limit that is none", "trim", request, {});
  yield call("far too small a window", "compact", request, { model: { id: "tiny", window: 900 }, reserveOutput: 100 });
  let deep: unknown = "end";
  for (let depth = 0; depth < 600; depth++) deep = [deep];
  yield call("deep nesting", "compact", { ...request, deep });
}
