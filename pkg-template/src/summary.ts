/** What the summary rung asks of its host: the caller's `summarize` and `memo`. Neither may cost the request anything when it fails. */
import { isObject } from "./json.js";
import type { CompactOptions, SummaryRequest } from "./types.js";

/** What the core takes for an answer: words, nothing, or how the writer failed and why. */
export type Written = string | null | ["failed" | "aborted", string];

/** Has a summary written, and takes the words out of what came back. */
export async function written(request: SummaryRequest, { summarize, signal, onProgress }: CompactOptions): Promise<Written> {
  onProgress?.({ rung: "summary", done: request.part - 1, total: request.parts });
  try {
    const reply = await summarize?.({ ...request, ...(signal && { signal }) });
    const words = wordsOf(reply);
    // Half a sentence may say the contrary of the whole one.
    return (isCut(reply) ? words?.slice(0, Math.max(0, words.lastIndexOf("\n"))) : words) ?? null;
  } catch (error) {
    return [isAbort(error) ? "aborted" : "failed", error instanceof Error ? error.message : String(error)];
  }
}

/** What is remembered under a key. A memo that fails remembers nothing. */
export async function recalled(key: string, { memo }: CompactOptions): Promise<string | null> {
  try {
    const value = await memo?.get(key);
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}

export async function remembered(key: string, value: string, { memo }: CompactOptions): Promise<void> {
  try {
    await memo?.put(key, value);
  } catch {
    // It is made again when it is wanted again.
  }
}

function isAbort(error: unknown): boolean {
  return isObject(error) && ["AbortError", "TimeoutError"].includes(String((error as { name?: unknown }).name));
}

/** Whether a client's whole reply says that it ended where its limit was. Fields as in Chat Completions, Messages, the AI SDK, Gemini, Responses. */
function isCut(reply: unknown): boolean {
  if (!isObject(reply)) return false;
  const said = reply as Record<string, unknown>;
  const ends = [said["finish_reason"], said["stop_reason"], said["finishReason"], said["status"]];
  const within = [said["choices"], said["candidates"], said["response"]].flat();
  return ends.some((end) => ["length", "max_tokens", "MAX_TOKENS", "incomplete"].includes(String(end))) || within.some(isCut);
}

/** The words of a reply: a text, or a client's whole reply of any format. `undefined` when it holds none. */
export function wordsOf(reply: unknown): string | undefined {
  if (typeof reply === "string") return reply;
  if (Array.isArray(reply)) {
    const words = reply.map(wordsOf).filter((text) => text !== undefined);
    return words.length > 0 ? words.join("") : undefined;
  }
  if (!isObject(reply)) return undefined;
  const fields = reply as Record<string, unknown>;
  // Thinking beside the answer is no part of it.
  if (fields["type"] === "reasoning" || fields["type"] === "thinking" || fields["thought"] === true) return undefined;
  for (const key of WORDS) {
    const words = wordsOf(fields[key]);
    if (words !== undefined) return words;
  }
  return undefined;
}

/** Where replies keep their words: the AI SDK, Responses, Chat Completions, Messages, Gemini; and what leads there. */
const WORDS = ["text", "output_text", "choices", "message", "content", "output", "candidates", "parts", "response"] as const;
