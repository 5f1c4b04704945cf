/** What stands between a client and the provider in these tests, written by hand: the package before `fetch`, and a plain sliding window. */
import { CannotFitError, compact, type CompactOptions, type Report } from "../../pkg/entry/node.js";
import { countAnthropic, countOpenai } from "./count.js";
import type { WireFormat } from "./provider.js";

type Fetch = typeof fetch;

const formatAt = (url: string): WireFormat => (url.endsWith("/messages") ? "anthropic" : "openai-chat");

/** A 400 in the provider's shape, by the fetch itself. */
function unfit(format: WireFormat, message: string): Response {
  const error = { type: "invalid_request_error", message };
  return Response.json(format === "anthropic" ? { type: "error", error } : { error: { ...error, param: null, code: null } }, { status: 400 });
}

/** A `fetch` whose body is compacted first. */
export function compactFirst(fetch: Fetch, options: CompactOptions, onCompact?: (report: Report, body: any) => void): Fetch {
  return async (input, init) => {
    const format = formatAt(String(input));
    try {
      const { body, report } = await compact(JSON.parse(init!.body as string), { ...options, format });
      onCompact?.(report, body);
      return await fetch(input, { ...init, body: JSON.stringify(body) });
    } catch (error) {
      if (error instanceof CannotFitError) return unfit(format, error.message);
      throw error;
    }
  };
}

/** A `fetch` that drops the oldest messages until an exact count fits, and cuts before a person's message: what most programs do. */
export function sliding(fetch: Fetch, window: number): Fetch {
  return async (input, init) => {
    const format = formatAt(String(input));
    const body = JSON.parse(init!.body as string);
    const room = window - (body.max_completion_tokens ?? body.max_tokens ?? 0);
    const count = format === "anthropic" ? countAnthropic(body) : countOpenai(body);
    const fixed = format === "anthropic" ? 0 : body.messages.findIndex(({ role }: any) => role !== "system");
    let left = count.total;
    let from = fixed;
    while (left > room && from < body.messages.length) left -= count.messages[from++]!;
    while (from > fixed && from < body.messages.length && !begins(body.messages[from])) from++;
    // The newest exchange alone is too large: it is sent, and refused.
    if (from === body.messages.length) from = fixed;
    body.messages.splice(fixed, from - fixed);
    return fetch(input, { ...init, body: JSON.stringify(body) });
  };
}

/** A person's message, not a result. */
function begins({ role, content }: any): boolean {
  return role === "user" && !(Array.isArray(content) && content.some(({ type }) => type === "tool_result"));
}
