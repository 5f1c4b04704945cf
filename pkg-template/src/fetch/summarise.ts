/** `summarize: "same-model"`: the summary is asked for where the request itself goes, with the same headers. */
import type { SummaryRequest } from "../types.js";
import type { Asked } from "./recognise.js";
import { resent, withSignal } from "./resend.js";
import type { Body } from "./wires/wire.js";

/** What a summary does without: it is awaited whole, and has no tools. */
const LEFT_OUT = ["stream", "stream_options", "tools", "tool_choice", "parallel_tool_calls"];
/** What says on whose behalf, where and under which terms the words may be read: a summary holds the same words. OpenAI, Anthropic, OpenRouter. */
const TERMS = ["store", "user", "safety_identifier", "metadata", "service_tier", "inference_geo", "provider"];

/** What a request for a summary takes over from the request it is made for. */
export function ownOf(request: Body): Body {
  return Object.fromEntries(Object.entries(request).filter(([key]) => key === "model" || TERMS.includes(key))) as Body;
}

/** `fetch` is the caller's own: a request for a summary is never compacted, nor sent again. */
export function sameModel(fetch: (...args: any[]) => Promise<any>, asked: Asked, request: Body): (request: SummaryRequest) => Promise<object> {
  const own = ownOf(request);
  return async ({ body, signal = asked.signal }) => {
    const kept = Object.entries(body as Body).filter(([key]) => !LEFT_OUT.includes(key));
    const text = JSON.stringify({ ...own, ...Object.fromEntries(kept) });
    const args = resent(asked, text);
    const response = (await fetch(...(signal ? withSignal(args, signal) : args))) as Response;
    // Not its words: they may repeat a part of the key.
    if (!response.ok) throw new Error(`The provider answered the request for a summary with status ${response.status}.`);
    return (await response.json()) as object;
  };
}
