/** Pages for their own sake. */
import { OptionError } from "./errors.js";
import { isObject } from "./json.js";
import { run } from "./run.js";
import type { Page, PageOptions, PageSet } from "./types.js";

/**
 * Draws text, or the transcript of a request, as pages for a model with vision. No network, no model call. It draws what it is asked to, also
 * where pages cost more than the text: `tokens` beside `textTokens` say so.
 *
 * Without a model, and for one whose reading nobody measured, letters are drawn at the most cautious pitch.
 *
 * Rejects: UnrenderableError (more than a twentieth of the letters is drawn by no font here), OptionError, UnsupportedFormatError,
 * `signal.reason` when aborted.
 */
export async function pages(text: string | object, options: PageOptions = {}): Promise<PageSet> {
  if (!isObject(options)) throw new OptionError("Options must be an object.");
  const { onProgress, ...rest } = options;
  const { model, signal } = rest;
  const isText = typeof text === "string";
  const drawn: Page[] = [];
  const { done } = await run<Omit<PageSet, "pages">>(
    "pages",
    isText ? [] : text,
    { ...(model !== undefined && { model }), ...(signal && { signal }), pages: rest },
    isText ? { text } : {},
    {
      page({ done, total, ...page }, png) {
        drawn.push({ png, ...page });
        onProgress?.(done, total);
      },
    },
  );
  return { pages: drawn, ...done };
}
