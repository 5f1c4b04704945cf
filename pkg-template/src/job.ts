/** Drives one job of the core: asks it what is next, answers what it asks, until it is done. */
import { build, type Edits, type Path, type Template } from "./edits.js";
import type { CoreError, PalimpsestError } from "./errors.js";
import { errorOf, internal } from "./errors.js";
import { TapeWriter } from "./tape.js";
import type { Written } from "./summary.js";
import type { Elided, Page, Rung, SummaryRequest } from "./types.js";

/** What the core can ask of its host, as JSON from `next`. */
type Step =
  | { ask: "count"; texts: [number, ...Path][] }
  | { ask: "placeholder"; items: Elided[] }
  | { ask: "request"; edits: Edits }
  | { ask: "yield"; rung: Rung; done: number; total: number }
  | { ask: "page"; page: PageTold }
  | { ask: "recall"; key: string }
  | { ask: "remember"; key: string; value: string }
  | ({ ask: "write"; body: Template } & Omit<SummaryRequest, "body" | "signal">)
  | { done: unknown }
  | { error: CoreError & { edits?: Edits } };

/** The part of the core's `Job` that is driven here. */
export interface CoreJob {
  next(answer?: Uint8Array): string;
  page(): Uint8Array;
}

/** A page as the core tells of it; `done` and `total` count pages. */
export interface PageTold extends Omit<Page, "png"> {
  done: number;
  total: number;
}

/** Who answers. `null` stands for a callback that failed: the core then goes on without it. */
export interface Host {
  count(texts: [number, ...Path][]): (number | null)[];
  placeholders(items: Elided[]): (string | null)[];
  countRequest(edits: Edits): Promise<number | null>;
  /** So many pages are drawn, of so many. */
  progress(rung: Rung, done: number, total: number): void;
  /** Takes a page that was drawn for its own sake. */
  page(page: PageTold, png: Uint8Array): void;
  /** What is remembered of an earlier call. */
  recall(key: string): Promise<string | null>;
  remember(key: string, value: string): Promise<void>;
  /** Has a summary written. */
  write(request: SummaryRequest): Promise<Written>;
  /** The error to throw for one of the core. */
  error(error: CoreError & { edits?: Edits }): PalimpsestError;
}

/** The job's answer. Rejects with its error, or with `signal.reason` as soon as the signal is aborted. */
export async function drive(job: CoreJob, host: Host, signal?: AbortSignal): Promise<unknown> {
  let answer: Uint8Array | undefined;
  for (;;) {
    signal?.throwIfAborted();
    const step = inCore(() => JSON.parse(job.next(answer)) as Step);
    if (!("ask" in step)) {
      if ("error" in step) throw host.error(step.error);
      return step.done;
    }
    const said = await abortable(answered(step, job, host), signal);
    answer = said === undefined ? undefined : new TapeWriter().value(said);
  }
}

/** Runs a call into the core. What it throws (a panic, a trap) is a fault of ours and says so. */
export function inCore<T>(call: () => T): T {
  try {
    return call();
  } catch (cause) {
    throw internal(cause);
  }
}

/** The answer of a function of the core that is no job. Throws its error. */
export function answerOf<T>(call: () => string): T {
  const answer = inCore(() => JSON.parse(call()) as { done: T } | { error: CoreError });
  if ("error" in answer) throw errorOf(answer.error);
  return answer.done;
}

async function answered(step: Extract<Step, { ask: string }>, job: CoreJob, host: Host): Promise<unknown> {
  switch (step.ask) {
    case "count":
      return host.count(step.texts);
    case "placeholder":
      return host.placeholders(step.items);
    case "request":
      return host.countRequest(step.edits);
    case "yield":
      host.progress(step.rung, step.done, step.total);
      return moment();
    case "recall":
      return host.recall(step.key);
    case "remember":
      return host.remember(step.key, step.value);
    case "write": {
      const { ask, body, ...request } = step;
      return host.write({ body: build([], body), ...request });
    }
    case "page":
      host.page(step.page, inCore(() => job.page()));
      return moment();
  }
}

/** Lets whatever waits run, so that a browser's page stays alive between two pages. A timer would be held back for 4 ms there. */
function moment(): Promise<void> {
  if (typeof setImmediate === "function") return new Promise((resolve) => setImmediate(resolve));
  if (typeof MessageChannel !== "function") return new Promise((resolve) => setTimeout(resolve)); // workerd before 2025-08-15
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** The promise, or a rejection with `signal.reason` if that comes first. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
