/** The functions that take a request. */
import type { Conversation } from "./conversation/conversation.js";
import type { Edits } from "./edits.js";
import { CannotFitError } from "./errors.js";
import { isObject } from "./json.js";
import { run } from "./run.js";
import type { Compacted, CompactOptions, Format, Measure, Model, ModelOptions, Repair, Report, Violation } from "./types.js";

/**
 * Shrinks a request so that it fits its model, from the cheapest rung to the dearest.
 *
 * Below the threshold it returns the very object it was given. Messages that no rung touches are the caller's own objects (`===`), in
 * their own order; unknown fields go through. Same input, same result (the durations in the report come from the clock).
 *
 * Rejects: InvalidHistoryError (broken beyond what `repair` may mend), UnknownModelError, UnsupportedFormatError, OptionError,
 * CannotFitError (every rung ran; carries report and body; `onUnfit: "return"` returns them instead), `signal.reason` when aborted.
 */
export async function compact<B extends object>(request: B, options: CompactOptions = {}): Promise<Compacted<B>> {
  const { result, ms } = await timed(() => run<Shrunk>("compact", request, options));
  const report = withDuration(result.done.report, ms);
  for (const { rung, ran, items } of report.rungs) {
    // Pages were told of one by one, as they were drawn.
    if (ran && rung !== "snapshot") options.onProgress?.({ rung, done: items, total: items });
  }
  return { body: result.apply(result.done.edits) as B, report };
}

/**
 * What fills the window: the figures behind a gauge, in tokens. Changes nothing.
 *
 * Rejects: UnknownModelError, UnsupportedFormatError, OptionError.
 */
export async function measure(request: object, options: ModelOptions = {}): Promise<Measure> {
  return (await run<Measure>("measure", request, options)).done;
}

/**
 * Every rule of the format that the history breaks, in order; empty when it can be sent.
 *
 * Rejects: UnsupportedFormatError, OptionError.
 */
export async function check(request: object, options: { format?: Format; model?: Model } = {}): Promise<Violation[]> {
  return (await run<Violation[]>("check", request, options)).done;
}

/**
 * Mends what can be mended (orphan results, unanswered calls, empty messages, …) and says what it did. The very object comes back when
 * there was nothing to mend.
 *
 * Rejects: InvalidHistoryError, UnsupportedFormatError, OptionError.
 */
export async function repair<B extends object>(request: B, options: { format?: Format; model?: Model } = {}): Promise<{ body: B; repairs: Repair[] }> {
  const { done, apply } = await run<{ edits: Edits; repairs: Repair[] }>("repair", request, options);
  return { body: apply(done.edits) as B, repairs: done.repairs };
}

/**
 * Keeps the system prompt and the newest messages, cut on a boundary that orphans no tool result. Of several limits (counts of messages,
 * of tokens, of exchanges) the tightest holds.
 *
 * Rejects: as `compact`; OptionError when no limit is given.
 */
export async function trim<B extends object>(
  request: B,
  limit: { messages?: number; tokens?: number; exchanges?: number },
  options: ModelOptions = {},
): Promise<Compacted<B>> {
  const { result, ms } = await timed(() => run<Shrunk>("trim", request, options, { limit }));
  return { body: result.apply(result.done.edits) as B, report: withDuration(result.done.report, ms) };
}

/**
 * The words behind a reference (of a placeholder, of `items` in a record), from the history before any compaction: a request, a bare
 * array of messages, or a conversation, of which the path to the tip is read. `undefined` when it holds no result of that name.
 *
 * Rejects: OptionError for an empty reference, UnsupportedFormatError, InvalidHistoryError.
 */
export async function restoreElided(history: object | Conversation, ref: string): Promise<string | undefined> {
  const { messages, format } = isObject(history) ? (history as Partial<Conversation>) : {};
  const [given, options] = typeof messages === "function" && format ? [messages().map(({ message }) => message as object), { format }] : [history, {}];
  return (await run<string | null>("restore", given, options, { ref })).done ?? undefined;
}

interface Shrunk {
  edits: Edits;
  report: Report;
}

/** Runs a call and says how long it took; an error that carries a report learns it, too. */
export async function timed<T>(call: () => Promise<T>): Promise<{ result: T; ms: number }> {
  const start = performance.now();
  const passed = (): number => Math.round(100 * (performance.now() - start)) / 100;
  try {
    return { result: await call(), ms: passed() };
  } catch (error) {
    if (error instanceof CannotFitError) withDuration(error.report, passed());
    throw error;
  }
}

/** Enters the duration at the first rung that ran, so that the column sums to the whole call. */
export function withDuration(report: Report, ms: number): Report {
  const first = report.rungs.find((rung) => rung.ran);
  if (first) first.ms = ms;
  return report;
}
