/** OpenAI's Chat Completions, and all who copy it. */
import { type Assembly, type Body, isBody, parsed, positive, type Said, type StreamEvent, type Wire } from "./wire.js";

/** Fields of a delta that come whole; other texts come in pieces. */
const WHOLE = new Set(["role", "id", "type", "name", "format"]);

export const openaiChat: Wire = {
  format: "openai-chat",
  path: /\/chat\/completions$/,
  fits: ({ messages }) => Array.isArray(messages),
  output: (body) => positive(body["max_completion_tokens"]) ?? positive(body["max_tokens"]),
  withOutput(body, tokens, url) {
    const known = ["max_completion_tokens", "max_tokens"].find((key) => positive(body[key]) !== undefined);
    // OpenAI's newer models refuse the old name; most who copy it know no other.
    const named = /(^|\.)(openai\.com|azure\.com)$/.test(url.hostname) ? "max_completion_tokens" : "max_tokens";
    return { ...body, [known ?? named]: tokens };
  },
  least: () => 1,
  said: (reply) => ({ message: reply["choices"]?.[0]?.message, usage: reply["usage"] ?? undefined }),
  isFull(reply, window) {
    const [choice] = Array.isArray(reply["choices"]) ? reply["choices"] : [];
    const { content, tool_calls: calls, reasoning_content: thought } = choice?.message ?? {};
    if (!choice || content || thought || calls?.length) return false;
    if (choice.finish_reason === "model_context_window_exceeded") return true;
    const used = positive(reply["usage"]?.total_tokens) ?? positive(reply["usage"]?.prompt_tokens);
    return choice.finish_reason === "length" && window !== undefined && used !== undefined && used >= window * 0.95;
  },
  assemble: () => new Chat(),
  refusal: (message, code, status) => ({
    error: { message, type: status < 500 ? "invalid_request_error" : "server_error", param: null, code },
  }),
};

class Chat implements Assembly {
  readonly #message: Body = { role: "assistant", content: null };
  #usage: unknown;
  #finished = false;
  #broken = false;

  take({ data }: StreamEvent): boolean {
    if (data.startsWith("[DONE]")) return true;
    const chunk = parsed(data);
    if (!chunk) return false;
    if (chunk["error"]) this.#broken = true;
    this.#usage = chunk["usage"] ?? this.#usage;
    for (const choice of Array.isArray(chunk["choices"]) ? chunk["choices"] : []) {
      if (!isBody(choice) || (choice["index"] ?? 0) !== 0) continue;
      if (isBody(choice["delta"])) merge(this.#message, choice["delta"]);
      if (choice["finish_reason"]) this.#finished = true;
    }
    return false;
  }

  said(): Said | undefined {
    if (!this.#finished || this.#broken) return undefined;
    const { tool_calls: calls } = this.#message;
    if (!Array.isArray(calls)) return { message: this.#message, usage: this.#usage };
    const whole = calls.filter(isBody).map(({ index: _, ...call }) => call);
    return { message: { ...this.#message, tool_calls: whole }, usage: this.#usage };
  }
}

/** Adds a delta: texts go on, entries of lists go to the place they name, the rest is replaced. */
function merge(target: Body, delta: Body): void {
  for (const [key, value] of Object.entries(delta)) {
    const known: unknown = Object.hasOwn(target, key) ? target[key] : undefined;
    if (value === null || value === undefined) continue;
    if (typeof value === "string" && typeof known === "string" && !WHOLE.has(key)) target[key] = known + value;
    else if (Array.isArray(value)) target[key] = entries(Array.isArray(known) ? known : [], value);
    else if (isBody(value) && isBody(known)) merge(known, value);
    else if (key !== "__proto__") target[key] = isBody(value) ? { ...value } : value;
  }
}

function entries(list: unknown[], more: unknown[]): unknown[] {
  for (const entry of more) {
    const { index } = isBody(entry) ? entry : {};
    const known = index === undefined ? undefined : list.find((one) => isBody(one) && one["index"] === index);
    if (isBody(known) && isBody(entry)) merge(known, entry);
    else list.push(isBody(entry) ? structuredClone(entry) : entry);
  }
  return list;
}
