/** Anthropic's Messages. */
import { type Assembly, type Body, isBody, parsed, positive, type Said, type StreamEvent, TOO_LONG, type Wire } from "./wire.js";

export const anthropic: Wire = {
  format: "anthropic",
  path: /\/messages$/,
  // The path is a common one; these two the format cannot do without.
  fits: ({ messages, max_tokens: output }) => Array.isArray(messages) && typeof output === "number",
  output: (body) => positive(body["max_tokens"]),
  withOutput: (body, tokens) => ({ ...body, max_tokens: tokens }),
  // `max_tokens` must be greater than what it may think with.
  least: (body) => (positive(body["thinking"]?.budget_tokens) ?? 0) + 1,
  said: ({ role, content, usage }) => ({ message: { role: role ?? "assistant", content }, usage }),
  isFull: ({ content, stop_reason: reason }) => reason === "model_context_window_exceeded" && Array.isArray(content) && content.length === 0,
  assemble: () => new Messages(),
  refusal(words, code, status) {
    // No code says that it is too large, only these words do.
    const message = code === TOO_LONG && !/prompt is too long/i.test(words) ? `prompt is too long: ${words}` : words;
    return { type: "error", error: { type: status < 500 ? "invalid_request_error" : "api_error", message } };
  },
};

/** Fields of a block to which deltas of these kinds are added. */
const TEXTS: Record<string, string> = { text_delta: "text", thinking_delta: "thinking", signature_delta: "signature" };

class Messages implements Assembly {
  #role = "assistant";
  #usage: Body = {};
  readonly #blocks = new Map<unknown, Body>();
  /** The arguments of calls, as far as they have come. */
  readonly #inputs = new Map<unknown, string>();
  #stopped = false;
  #broken = false;

  take({ data }: StreamEvent): boolean {
    const event = parsed(data);
    switch (event?.["type"]) {
      case "message_start":
        this.#role = event["message"]?.role ?? this.#role;
        this.#charge(event["message"]?.usage);
        break;
      case "content_block_start":
        if (isBody(event["content_block"])) this.#blocks.set(event["index"], { ...event["content_block"] });
        break;
      case "content_block_delta":
        this.#add(event["index"], event["delta"]);
        break;
      case "content_block_stop":
        this.#close(event["index"]);
        break;
      case "message_delta":
        this.#charge(event["usage"]);
        break;
      case "message_stop":
        this.#stopped = true;
        return true;
      case "error":
        this.#broken = true;
    }
    return false;
  }

  said(): Said | undefined {
    if (!this.#stopped || this.#broken) return undefined;
    const usage = Object.keys(this.#usage).length > 0 ? this.#usage : undefined;
    return { message: { role: this.#role, content: [...this.#blocks.values()] }, usage };
  }

  /** The last figures count, but a field that is not told again stands. */
  #charge(usage: unknown): void {
    if (!isBody(usage)) return;
    const told = Object.entries(usage).filter(([, value]) => value !== null && value !== undefined);
    this.#usage = { ...this.#usage, ...Object.fromEntries(told) };
  }

  #add(index: unknown, delta: unknown): void {
    const block = this.#blocks.get(index);
    if (!block || !isBody(delta)) return;
    const { type, ...fields } = delta;
    const text = TEXTS[type];
    if (text) block[text] = (block[text] ?? "") + (delta[text] ?? "");
    else if (type === "input_json_delta") this.#inputs.set(index, (this.#inputs.get(index) ?? "") + (delta["partial_json"] ?? ""));
    else if (type === "citations_delta") block["citations"] = [...(block["citations"] ?? []), delta["citation"]];
    else Object.assign(block, fields);
  }

  #close(index: unknown): void {
    const input = this.#inputs.get(index);
    const block = this.#blocks.get(index);
    if (block && input) block["input"] = parsed(input) ?? block["input"];
  }
}
