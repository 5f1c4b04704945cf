/** Tells a request that was too large from every other failure. */
import * as core from "./core.js";
import { attempt, glance } from "./glance.js";
import { answerOf, inCore } from "./job.js";
import { isObject } from "./json.js";
import { init } from "./load.js";
import { TapeWriter } from "./tape.js";
import type { Overflow } from "./types.js";

/** Letters of a body that are read; a refusal has a few hundred. */
const MOST = 64 * 1024;
/** Milliseconds in which a body must have come. */
const PATIENCE = 5000;

let fields: string[] | undefined;

/**
 * What was too large, in any provider's words: an SDK's error, a Response (read from a clone, yours stays unread), `{ status, body }`, an
 * error event of a stream, a text. `null` when it is no overflow: so are rate limits, also those that speak of tokens.
 *
 * An answer that succeeds is read only when it is JSON; of a stream, hand over its events. Overflows without words (usage above the window,
 * a status 400 without a body) cannot be told. Rejects only with code "load-failed".
 */
export async function overflow(error: unknown): Promise<Overflow | null> {
  if (error === undefined || error === null) return null;
  await init();
  fields ??= inCore(() => core.overflow_fields().split(" "));
  const said = isResponse(error) ? glance(await answered(error), fields) : await glanced(error, fields);
  return answerOf<Overflow | null>(() => core.overflow(new TapeWriter().value(said)));
}

/** An error that is no Response, but may carry one whose body nobody has read yet. */
async function glanced(error: unknown, fields: string[]): Promise<unknown> {
  const said = glance(error, fields);
  const response = attempt(() => (error as { response?: unknown }).response);
  if (!isObject(said) || !isResponse(response)) return said;
  return { ...said, response: glance(await answered(response), fields) };
}

/** Also one of another realm or of node-fetch. */
function isResponse(value: unknown): value is Response {
  if (!isObject(value)) return false;
  return attempt(() => {
    const { clone, status, headers } = value as Partial<Response>;
    return typeof clone === "function" && typeof status === "number" && isObject(headers);
  }) === true;
}

async function answered(response: Response): Promise<object> {
  const head = attempt(() => ({ status: response.status, statusText: response.statusText }));
  const silent = attempt(() => response.ok && !response.headers.get("content-type")?.includes("json"));
  return silent === false ? { ...head, body: await bodyOf(response) } : { ...head };
}

/** The beginning of a body; empty when it cannot be read any more. */
async function bodyOf(response: Response): Promise<string> {
  let text = "";
  let give = (): void => {};
  const late = new Promise<undefined>((resolve) => (give = () => resolve(undefined)));
  const timer = setTimeout(give, PATIENCE);
  try {
    const copy = response.clone();
    const reader = copy.body?.getReader?.();
    if (!reader) return ((await Promise.race([copy.text(), late])) ?? "").slice(0, MOST);
    const decoder = new TextDecoder();
    while (text.length < MOST) {
      const step = await Promise.race([reader.read(), late]);
      if (step === undefined || step.done) break;
      text += decoder.decode(step.value, { stream: true });
    }
    // Not awaited: one half of a divided body is done only when both are.
    reader.cancel().catch(() => {});
  } catch {
    // Read before, or broken off: what came so far may be enough.
  } finally {
    clearTimeout(timer);
  }
  return text;
}
