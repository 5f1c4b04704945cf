/** A request of a conversation: what crosses is what changed, what comes back are edits by the numbers of messages. */
import { applyEdits, type Edits } from "../edits.js";
import { CannotFitError, InvalidHistoryError, OptionError, UnsupportedFormatError } from "../errors.js";
import { hostOf, offered } from "../host.js";
import { abortable, drive, type Host } from "../job.js";
import { isObject } from "../json.js";
import { fontsOf, said } from "../run.js";
import { measure, timed, withDuration } from "../requests.js";
import type { Split } from "../split.js";
import type { Compacted, CompactionRecord, CompactOptions, Format, Measure, ModelOptions, Report } from "../types.js";
import { posted } from "./dialects.js";
import type { Aside } from "./queue.js";
import { renamed, type Standing, without } from "./records.js";
import type { State } from "./state.js";
import { Behind, behind } from "./writing.js";

export type RequestOptions = CompactOptions & { to?: Format };

/** What is sent for the path to the tip. `lay`: what was done is kept. */
export function ask<B extends object>(state: State, given: RequestOptions = {}, lay = true): Promise<Compacted<B>> {
  const answer = state.requests.run(async (aside) => {
    for (;;) {
      const done = await answered<B>(state, given, lay, aside).catch(behind);
      if (!(done instanceof Behind)) return done;
      await aside(() => done.ended);
    }
  });
  // It may wait for others, who may take long: who calls it off need not.
  return abortable(answer, isObject(given) ? (given.signal ?? state.options.signal) : undefined);
}

async function answered<B extends object>(state: State, given: RequestOptions, lay: boolean, aside: Aside): Promise<Compacted<B>> {
  const { summarize, ...rest } = optionsOf(state, given);
  // What is not laid would have to be written again.
  const options = lay && summarize ? { ...rest, summarize } : rest;
  options.signal?.throwIfAborted();
  const { result, ms } = await timed(() => walked<B>(state, options, lay, aside));
  withDuration(result.report, ms);
  for (const { rung, ran, items } of result.report.rungs) if (ran) options.onProgress?.({ rung, done: items, total: items });
  return result;
}

/** What fills the window when the path is sent as it would be now. Nothing is laid, and no model is asked: a summary that is due stays due. */
export async function weigh(state: State, given: ModelOptions = {}): Promise<Measure> {
  const options = optionsOf(state, given);
  const { model, format, reserveOutput, countTokens, countRequest, calibration } = options;
  const body = await ask<object>(state, given, false).then(
    (sent) => sent.body,
    (error) => {
      if (error instanceof CannotFitError && isObject(error.body)) return error.body as object;
      // Nobody spoke yet, for example: nothing can be sent, and the gauge shows what there is.
      if (error instanceof InvalidHistoryError) return posted(state.format, envelopeOf(options), state.views.bodies()());
      throw error;
    },
  );
  const asked = { model, format, reserveOutput, countTokens, countRequest, calibration };
  return measure(body, Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)));
}

/** @throws {UnsupportedFormatError} for another format than the conversation's. */
function optionsOf(state: State, given: RequestOptions): CompactOptions {
  if (!isObject(given)) throw new OptionError("Options must be an object.");
  const { to, format, ...options } = { ...state.options, ...given };
  for (const other of [to, format]) {
    if (other !== undefined && other !== state.format) throw new UnsupportedFormatError(`This conversation is of the format ${state.format}; this version cannot send it as ${other}.`);
  }
  const calibration = options.calibration ?? state.calibration;
  return { ...options, format: state.format, ...(calibration && { calibration }) };
}

async function walked<B extends object>(state: State, options: CompactOptions, lay: boolean, aside: Aside): Promise<Compacted<B>> {
  const core = state.core();
  const path = state.views.bodies();
  const line = state.views.line();
  const count = line.length;
  const tip = line.at(-1);
  const number = tip && state.nodes.number(tip.id);
  const places = (): Map<number, number> => new Map(line.slice(0, count).map(({ id }, place) => [state.nodes.number(id) ?? -1, place]));
  const around = envelopeOf(options);
  const bodyOf = (edits: Edits): object => posted(state.format, around, edits === null ? path() : asItWas(state, number, tip?.message, () => listOf(state, around, edits)));
  const request: Split = { given: around, bare: false, envelope: around, list: "messages", messages: state.nodes.messages };
  const stood = state.records.standing();
  let over = false;
  const plain = hostOf(request, options);
  const host: Host = {
    ...plain,
    async write(asked) {
      state.writing.begin(host);
      core.putAside();
      // Called off just before its turn came, it has given up what was put aside.
      return aside(() => plain.write(asked), () => over || core.takeUp());
    },
    async countRequest(edits) {
      const { countRequest } = options;
      // The body as it would be sent, which the core's own edits do not make here.
      return countRequest ? hostOf({ ...request, given: bodyOf(edits) }, options).countRequest(null) : null;
    },
    error({ edits, ...error }) {
      const made = plain.error(error);
      if (!(made instanceof CannotFitError)) return made;
      const body = edits === undefined ? undefined : bodyOf(edits);
      return new CannotFitError(made.message, toldWith(state, made.report, places, stood), body);
    },
  };
  try {
    core.begin(around, said(options, { has: offered(options) }), fontsOf(options.pages?.fonts));
    const { edits, report } = (await drive(core, host, options.signal)) as { edits: Edits; report: Report };
    const body = bodyOf(edits) as B;
    const told = toldWith(state, report, places, stood);
    if (lay) keep(state, told, host, stood);
    return { body, report: told };
  } catch (error) {
    if (lay && error instanceof CannotFitError) state.writing.allow(host); // with the summary it may fit
    throw error;
  } finally {
    over = true;
    if (state.writing.end(host)) core.giveUp();
  }
}

/** What is sent around the messages. Without `system` where there is none: the order of keys is that of a request. */
function envelopeOf({ model, system, tools }: CompactOptions): Record<string, unknown> {
  return { ...(typeof model === "string" && { model }), ...(system !== undefined && { system }), messages: [], ...(tools !== undefined && { tools }) };
}

function listOf(state: State, envelope: object, edits: Edits): readonly unknown[] {
  const request: Split = { given: envelope, bare: true, envelope, list: "messages", messages: state.nodes.messages };
  return applyEdits(request, edits) as unknown[];
}

/** With the newest message as it was when the walk began: a draft may have been replaced meanwhile, and its number with it. */
function asItWas<T>({ nodes: { messages } }: State, number: number | undefined, message: object | undefined, make: () => T): T {
  if (number === undefined) return make();
  const now = messages[number];
  messages[number] = message;
  try {
    return make();
  } finally {
    messages[number] = now;
  }
}

/** The report with node ids for the numbers of messages, and places on the path where it says where. */
function toldWith(state: State, report: Report, places: () => Map<number, number>, stood: Standing): Report {
  const id = (number: string | number): string => state.nodes.at(number as number)?.id ?? String(number);
  const records = report.records.map((record): CompactionRecord => state.records.named(renamed(record, id), stood));
  const at = report.repairs.length > 0 ? places() : undefined;
  const repairs = report.repairs.map((repair) => ({ ...repair, index: at?.get(repair.index) ?? repair.index }));
  return { ...report, records, repairs };
}

/** Lays what a walk did over the path. @throws {Behind} where that is something while another's summary is written. */
function keep(state: State, report: Report, owner: object, stood: Standing): void {
  // Meanwhile a record may have been taken off; a message may have been replaced, or taken back.
  const gone = [...stood.values()].filter(({ id }) => !state.records.get(id));
  const records = without(report.records, gone).filter(({ from, to }) => [from, to].every((end) => state.nodes.get(String(end))));
  if (records.some(({ id }) => !state.records.get(id))) state.writing.allow(owner);
  if (records.length === 0) return;
  const { laid, off } = state.call<{ laid: string[]; off: string[] }>("lay", { records });
  if (laid.length === 0 && off.length === 0) return;
  for (const record of records) if (laid.includes(record.id)) state.records.set(record);
  for (const id of off) state.records.delete(id);
  state.views.laid();
  state.watchers.tell();
}
