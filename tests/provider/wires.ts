/** Answers in the providers' shapes: whole, and as events of a stream. */
import type { Refusal } from "./refusal.js";
import type { Said } from "./answers.js";
import { sign } from "./thinking.js";

export interface Usage {
  input: number;
  /** Of the input: read from the cache. */
  cached: number;
  output: number;
}

export interface Reply {
  id: string;
  body: any;
  said: Said;
  usage: Usage;
}

export interface Wire {
  whole(reply: Reply): object;
  /** The text of each event, in order. */
  events(reply: Reply): string[];
  error(refusal: Refusal): object;
  /** An error inside a stream. */
  errorEvent(refusal: Refusal): string;
}

/** Seconds since 1970 that every answer claims: nothing here depends on the clock. */
const CREATED = 1_790_000_000;

/** A text in pieces, as a stream brings it; surrogates are not torn. */
function* pieces(text: string): Generator<string> {
  const letters = [...text];
  for (let at = 0; at < letters.length; at += 24) yield letters.slice(at, at + 24).join("");
}

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

const OPENAI_FINISH = { stop: "stop", calls: "tool_calls", length: "length" } as const;

const openaiUsage = ({ input, cached, output }: Usage): object => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
});

const openaiCall = ({ id, name, input }: Said["calls"][number]): any => ({ id, type: "function", function: { name, arguments: JSON.stringify(input) } });

export const openai: Wire = {
  whole({ id, body, said, usage }) {
    const message = {
      role: "assistant",
      content: said.text === "" && said.calls.length > 0 ? null : said.text,
      ...(said.calls.length > 0 && { tool_calls: said.calls.map(openaiCall) }),
      refusal: null,
      annotations: [],
    };
    const choice = { index: 0, message, logprobs: null, finish_reason: OPENAI_FINISH[said.finish] };
    return { id: `chatcmpl-${id}`, object: "chat.completion", created: CREATED, model: body.model, choices: [choice], usage: openaiUsage(usage), system_fingerprint: null };
  },
  events({ id, body, said, usage }) {
    const told = body.stream_options?.include_usage === true;
    const frame = { id: `chatcmpl-${id}`, object: "chat.completion.chunk", created: CREATED, model: body.model, system_fingerprint: null };
    const chunk = (delta: object, finish: string | null = null): string =>
      data({ ...frame, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], ...(told && { usage: null }) });
    const events = [chunk({ role: "assistant", content: said.text === "" && said.calls.length > 0 ? null : "", refusal: null })];
    for (const content of pieces(said.text)) events.push(chunk({ content }));
    for (const [index, call] of said.calls.entries()) {
      const { id: callId, type, function: { name, arguments: words } } = openaiCall(call);
      events.push(chunk({ tool_calls: [{ index, id: callId, type, function: { name, arguments: "" } }] }));
      for (const piece of pieces(words)) events.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }));
    }
    events.push(chunk({}, OPENAI_FINISH[said.finish]));
    if (told) events.push(data({ ...frame, choices: [], usage: openaiUsage(usage) }));
    return [...events, "data: [DONE]\n\n"];
  },
  error: ({ message, type = "invalid_request_error", param, code }) => ({ error: { message, type, param: param ?? null, code: code ?? null } }),
  errorEvent: (refusal) => data(openai.error(refusal)),
};

const ANTHROPIC_FINISH = { stop: "end_turn", calls: "tool_use", length: "max_tokens" } as const;

/** Input that was neither read from the cache nor written to it. What was read, and with breakpoints what was written, is told apart. */
function anthropicUsage(body: any, { input, cached, output }: Usage): object {
  const writes = JSON.stringify(body).includes('"cache_control"') ? input - cached : 0;
  return { input_tokens: input - cached - writes, cache_creation_input_tokens: writes, cache_read_input_tokens: cached, output_tokens: output, service_tier: "standard" };
}

/** The blocks of an answer. */
export function blocksOf(said: Said): any[] {
  return [
    ...(said.thinking === undefined ? [] : [{ type: "thinking", thinking: said.thinking, signature: sign(said.thinking) }]),
    ...(said.text === "" ? [] : [{ type: "text", text: said.text }]),
    ...said.calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
  ];
}

const named = (event: { type: string }): string => `event: ${event.type}\n${data(event)}`;

export const anthropic: Wire = {
  whole({ id, body, said, usage }) {
    const frame = { id: `msg_${id}`, type: "message", role: "assistant", model: body.model };
    return { ...frame, content: blocksOf(said), stop_reason: ANTHROPIC_FINISH[said.finish], stop_sequence: null, usage: anthropicUsage(body, usage) };
  },
  events({ id, body, said, usage }) {
    const message = { id: `msg_${id}`, type: "message", role: "assistant", model: body.model, content: [], stop_reason: null, stop_sequence: null };
    const events: any[] = [{ type: "message_start", message: { ...message, usage: anthropicUsage(body, { ...usage, output: 1 }) } }];
    for (const [index, block] of blocksOf(said).entries()) {
      const delta = (change: object): void => void events.push({ type: "content_block_delta", index, delta: change });
      const [empty, whole] = emptied(block);
      events.push({ type: "content_block_start", index, content_block: empty });
      if (index === 0) events.push({ type: "ping" });
      for (const piece of pieces(whole)) {
        if (block.type === "text") delta({ type: "text_delta", text: piece });
        else if (block.type === "thinking") delta({ type: "thinking_delta", thinking: piece });
        else delta({ type: "input_json_delta", partial_json: piece });
      }
      if (block.type === "thinking") delta({ type: "signature_delta", signature: block.signature });
      events.push({ type: "content_block_stop", index });
    }
    const end = { stop_reason: ANTHROPIC_FINISH[said.finish], stop_sequence: null };
    events.push({ type: "message_delta", delta: end, usage: anthropicUsage(body, usage) }, { type: "message_stop" });
    return events.map(named);
  },
  error: (refusal) => ({ type: "error", error: { type: typeOf(refusal), message: refusal.message }, request_id: "req_strict" }),
  errorEvent: (refusal) => {
    const event = { type: "error", error: { type: typeOf(refusal), message: refusal.message } };
    return named(event);
  },
};

/** A block as a stream begins it, and the words that follow. */
function emptied(block: any): [object, string] {
  if (block.type === "text") return [{ type: "text", text: "" }, block.text];
  if (block.type === "thinking") return [{ type: "thinking", thinking: "", signature: "" }, block.thinking];
  return [{ ...block, input: {} }, JSON.stringify(block.input)];
}

function typeOf({ type, status }: Refusal): string {
  return type ?? (status === 413 ? "request_too_large" : status === 401 ? "authentication_error" : "invalid_request_error");
}
