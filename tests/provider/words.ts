/** A request that does not fit, in the words of those who refuse it. */
import { refuse, type Refusal } from "./refusal.js";

/** Tokens: what was sent, what was asked for at most, and what there is room for. */
export interface Room {
  input: number;
  /** Absent where none was asked for. */
  output: number | undefined;
  window: number;
  model: string;
}

type Row = (room: Room) => Partial<Refusal> & { message: string };

const asked = ({ input, output = 0 }: Room): number => input + output;

const exceeded = { code: "context_length_exceeded", param: "messages" };

/** One row a provider or host. A row that counts the answer in speaks of both. */
const ROWS = {
  openai: (room) => {
    const parts = `you requested ${asked(room)} tokens (${room.input} in the messages, ${room.output ?? 0} in the completion)`;
    const message =
      room.input > room.window
        ? `However, your messages resulted in ${room.input} tokens. Please reduce the length of the messages.`
        : `However, ${parts}. Please reduce the length of the messages or completion.`;
    return { ...exceeded, message: `This model's maximum context length is ${room.window} tokens. ${message}` };
  },
  "openai-new": () => ({ ...exceeded, message: "Your input exceeds the context window of this model. Please adjust your input and try again." }),
  anthropic: ({ input, output = 0, window }) => ({
    message:
      input > window
        ? `prompt is too long: ${input} tokens > ${window} maximum`
        : `input length and \`max_tokens\` exceed context limit: ${input} + ${output} > ${window}, decrease input length or \`max_tokens\` and try again`,
  }),
  gemini: ({ input, window }) => ({
    message: `The input token count (${input}) exceeds the maximum number of tokens allowed (${window}).`,
  }),
  bedrock: () => ({ message: "Input is too long for requested model." }),
  xai: (room) => ({ message: `This model's maximum prompt length is ${room.window} but the request contains ${asked(room)} tokens.` }),
  groq: () => ({ code: "context_length_exceeded", message: "Please reduce the length of the messages or completion." }),
  mistral: ({ window, ...room }) => ({
    message: `Prompt contains ${room.input} tokens and ${room.output ?? 0} draft tokens, too large for model with ${window} maximum context length`,
  }),
  openrouter: (room) => ({
    message: `This endpoint's maximum context length is ${room.window} tokens. However, you requested about ${asked(room)} tokens (${room.input} of text input, ${room.output ?? 0} in the output). Please reduce the length of either one.`,
  }),
  together: (room) => ({ message: `The input (${asked(room)} tokens) is longer than the model's context length (${room.window} tokens).` }),
  vllm: (room) => ({
    type: "BadRequestError",
    message: `This model's maximum context length is ${room.window} tokens. However, you requested ${asked(room)} tokens (${room.input} in the messages, ${room.output ?? 0} in the completion). Please reduce the length of the messages or completion.`,
  }),
  llamacpp: ({ input, window }) => ({
    type: "exceed_context_size_error",
    message: `the request exceeds the available context size (${window} tokens): ${input} tokens`,
  }),
  lmstudio: ({ input, window }) => ({
    message: `Trying to keep the first ${input} tokens when context the overflows. However, the model is loaded with context length of only ${window} tokens, and the prompt is greater than the context length`,
  }),
  ollama: () => ({ status: 400, message: "prompt too long; exceeded max context length" }),
  copilot: ({ input, window }) => ({ code: "model_max_prompt_tokens_exceeded", message: `prompt token count of ${input} exceeds the limit of ${window}` }),
  kimi: ({ input, window }) => ({ message: `Invalid request: Your request exceeded model token limit: ${window} (requested: ${input})` }),
  minimax: () => ({ message: "invalid params, context window exceeds limit (2013)" }),
  /** Nothing but the status. */
  silent: () => ({ message: "", body: "" }),
  /** Without words, and with the status that usually means bytes. */
  "silent-413": () => ({ status: 413, message: "", body: "" }),
} satisfies Record<string, Row>;

export type Words = keyof typeof ROWS;
export const WORDS = Object.keys(ROWS) as Words[];

/** The refusal of a request that does not fit. Where only the answer asked for is too much, its kind is "output". */
export function overflowing(words: Words, room: Room): Refusal {
  const row: Partial<Refusal> & { message: string } = ROWS[words](room);
  const kind = room.input > room.window ? "overflow" : "output";
  return { kind, rule: words, status: 400, ...row };
}

/** @throws {Refused} for an answer longer than the model gives. */
export function checkOutput(format: "openai-chat" | "anthropic", { output, model }: Room, most: number): void {
  if (output === undefined || output <= most) return;
  const message =
    format === "anthropic"
      ? `max_tokens: ${output} > ${most}, which is the maximum allowed number of output tokens for ${model}`
      : `max_tokens is too large: ${output}. This model supports at most ${most} completion tokens, whereas you provided ${output}.`;
  refuse({ kind: "output", rule: "max-output", status: 400, message, param: "max_tokens", code: "invalid_value" });
}
