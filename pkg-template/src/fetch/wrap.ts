/** `withCompaction`: recognises requests to models, and takes each on its trip. */
import { OptionError } from "../errors.js";
import { attempt } from "../glance.js";
import { abortable } from "../job.js";
import { memoryMemo, Memory } from "./memory.js";
import { Once } from "./once.js";
import type { AskedOf, FetchOptions } from "./options.js";
import { type Asked, recognise } from "./recognise.js";
import { type Own, Trip } from "./trip.js";

/** Options for one request; `false` leaves it alone. */
type Choose = (request: AskedOf) => FetchOptions | false | Promise<FetchOptions | false>;

/**
 * A `fetch` that compacts before it sends, learns from `usage`, and recovers from an overflow: drop it into any client that takes a `fetch`.
 *
 * It knows requests to models by path and body (`…/chat/completions` and `…/messages`, POST, JSON); everything else goes through as it is.
 * Below the threshold the very arguments are passed on. Of a stream only the first event is looked at before the answer is handed on; the rest
 * passes as it comes. After an overflow it sends again, at most `retries` times, never anything as large as what was refused. What it learns
 * (windows, limits, calibrations) stays in this one wrapper; headers and keys are neither kept nor logged.
 *
 * When nothing can be made to fit it resolves with a 400 in the provider's own shape, so that an SDK reports it once and does not retry.
 * What `fetch` rejects with comes out as it is; an aborted request rejects with the signal's reason.
 *
 * @throws {OptionError} for a `fetch` that is no function.
 */
export function withCompaction<F extends (...args: any[]) => Promise<any>>(fetch: F, options: FetchOptions | Choose = {}): F {
  if (typeof fetch !== "function") throw new OptionError("`withCompaction` needs a `fetch` to send with.");
  const own = { memory: new Memory(), memo: memoryMemo(), once: new Once() };
  const wrapped = (...args: any[]): Promise<any> => {
    // Of what cannot be read `fetch` itself says so.
    const asked = attempt(() => recognise(args));
    return asked ? take(fetch, asked, options, own) : fetch(...args);
  };
  return Object.assign(wrapped, fetch);
}

async function take(fetch: (...args: any[]) => Promise<any>, asked: Asked, choice: FetchOptions | Choose, own: Own): Promise<any> {
  // A body that stalls hears the signals, too.
  const ends = typeof choice === "function" ? undefined : choice?.signal;
  const body = await abortable(abortable(Promise.resolve(asked.body), asked.signal), ends);
  if (!body) return fetch(...asked.args);
  const { href: url, headers, format } = asked;
  const options = typeof choice === "function" ? await choice({ url, headers, body, format }) : choice;
  // Who chooses by request may say nothing of one.
  return options === false ? fetch(...asked.args) : new Trip(fetch, asked, body, options ?? {}, own).run();
}
