/** Drives one job of the core: asks it what is next, answers what it asks, until it is done. */
import type { Edits, Path } from "./edits.js";
import type { CoreError, PalimpsestError } from "./errors.js";
import { errorOf, internal } from "./errors.js";
import type { Elided } from "./types.js";

/** What the core can ask of its host, as JSON from `next`. */
type Step =
  | { ask: "count"; texts: [number, ...Path][] }
  | { ask: "placeholder"; items: Elided[] }
  | { ask: "request"; edits: Edits }
  | { done: unknown }
  | { error: CoreError & { edits?: Edits } };

/** The part of the core's `Job` that is driven here. */
export interface CoreJob {
  next(answer?: string): string;
}

/** Who answers. `null` stands for a callback that failed: the core then goes on without it. */
export interface Host {
  count(texts: [number, ...Path][]): (number | null)[];
  placeholders(items: Elided[]): (string | null)[];
  countRequest(edits: Edits): Promise<number | null>;
  /** The error to throw for one of the core. */
  error(error: CoreError & { edits?: Edits }): PalimpsestError;
}

/** The job's answer. Rejects with its error, or with `signal.reason` as soon as the signal is aborted. */
export async function drive(job: CoreJob, host: Host, signal?: AbortSignal): Promise<unknown> {
  let answer: string | undefined;
  for (;;) {
    signal?.throwIfAborted();
    const step = inCore(() => JSON.parse(job.next(answer)) as Step);
    if ("done" in step) return step.done;
    if ("error" in step) throw host.error(step.error);
    answer = JSON.stringify(await abortable(answered(step, host), signal));
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

async function answered(step: Extract<Step, { ask: string }>, host: Host): Promise<unknown> {
  switch (step.ask) {
    case "count":
      return host.count(step.texts);
    case "placeholder":
      return host.placeholders(step.items);
    case "request":
      return host.countRequest(step.edits);
  }
}

/** The promise, or a rejection with `signal.reason` if that comes first. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
