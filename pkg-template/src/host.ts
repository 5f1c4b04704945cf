/** Answers the core's questions with the callbacks of one call. */
import { applyEdits, valueAt } from "./edits.js";
import { errorOf, OptionError } from "./errors.js";
import { attempt } from "./glance.js";
import type { Host } from "./job.js";
import type { Split } from "./split.js";
import { recalled, remembered, written } from "./summary.js";
import type { CompactOptions } from "./types.js";

/** What the core may ask for: the callbacks that were given, by name. @throws {OptionError} for one that is no function. */
export function offered(options: CompactOptions): string[] {
  const { countTokens, countRequest, elide, summarize, memo } = options;
  const callbacks = { countTokens, countRequest, placeholder: elide?.placeholder, summarize, memo: memo?.get ?? memo };
  return Object.entries(callbacks).flatMap(([name, callback]) => {
    if (callback === undefined || callback === null) return [];
    if (typeof callback !== "function") throw new OptionError(`\`${name}\` must be ${name === "memo" ? "an object with `get` and `put`" : "a function"}.`);
    return [name];
  });
}

export function hostOf(request: Split, options: CompactOptions): Host {
  return {
    count: (texts) =>
      texts.map(([index, ...path]) => {
        const value = valueAt(index < 0 ? request.envelope : request.messages[index], path);
        return tokens(() => options.countTokens?.(typeof value === "string" ? value : (JSON.stringify(value) ?? "")));
      }),

    placeholders: (items) =>
      items.map((item) => {
        const line = attempt(() => options.elide?.placeholder?.(item));
        return typeof line === "string" ? line : null;
      }),

    async countRequest(edits) {
      try {
        const count = await options.countRequest?.(applyEdits(request, edits));
        return tokens(() => count);
      } catch {
        return null;
      }
    },

    progress(rung, done, total) {
      options.onProgress?.({ rung, done, total });
      options.pages?.onProgress?.(done, total);
    },

    page() {},

    recall: (key) => recalled(key, options),
    remember: (key, value) => remembered(key, value, options),
    write: (request) => written(request, options),

    error: ({ edits, ...error }) => errorOf(error, edits === undefined ? undefined : applyEdits(request, edits)),
  };
}

/** A callback's count; `null` where it throws or counts nothing: the contract says that it is not used for that question then. */
function tokens(callback: () => unknown): number | null {
  const count = attempt(callback);
  return typeof count === "number" && Number.isFinite(count) && count >= 0 ? count : null;
}
