/** What differs between the formats of messages as far as a conversation goes. A new format is one entry in `DIALECTS`. */
import { UnsupportedFormatError } from "../errors.js";
import { isObject } from "../json.js";
import type { Format } from "../types.js";

type Fields = Record<string, unknown>;

interface Dialect {
  /** The message in a client's whole reply; `undefined` for what is none. Only what the request format takes back stays of it. */
  reply(fields: Fields): object | undefined;
  /** What was learnt on a way that was given up, as a message: the system's where the format has such, else a user's, marked. */
  synthesis(words: string): object;
  /** A request, with the instructions where the format has a place for them. */
  posted(around: Fields, messages: readonly unknown[]): object;
}

export interface Reply {
  message: object;
  /** As it came; `undefined` when the reply tells none. */
  usage: object | undefined;
}

/** Fields of an assistant message that Chat Completions, and hosts that speak it, take back. `refusal` and calls only where there are some. */
const KEPT = ["refusal", "tool_calls", "function_call", "name", "reasoning_content", "reasoning_details"] as const;

const chat: Dialect = {
  reply({ choices }) {
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    const message: unknown = isObject(choice) ? (choice as Fields)["message"] : undefined;
    if (!isObject(message)) return undefined;
    const { role, content = null, audio, ...rest } = message as Fields;
    if (role !== "assistant") return undefined;
    const kept: Fields = { role, content };
    for (const key of KEPT) {
      const value = rest[key];
      if (value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)) kept[key] = value;
    }
    // Of speech the id goes back, not the sound.
    if (isObject(audio)) kept["audio"] = { id: (audio as Fields)["id"] };
    return kept;
  },
  synthesis: (words) => ({ role: "system", content: words }),
  // There is no place for instructions beside the messages: they come first among them.
  posted: ({ system, ...rest }, messages) => ({ ...rest, messages: system === undefined ? messages : [{ role: "system", content: system } as unknown].concat(messages) }),
};

const anthropic: Dialect = {
  reply: ({ role, content }) => (role === "assistant" && Array.isArray(content) ? { role, content } : undefined),
  synthesis: (words) => ({ role: "user", content: [{ type: "text", text: `[What was learnt on a way that was given up]\n${words}` }] }),
  // The instructions stand behind the model, wherever they stood: so requests are alike.
  posted: ({ system, ...rest }, messages) => ({ ...rest, ...(system !== undefined && { system }), messages }),
};

const DIALECTS: Partial<Record<Format, Dialect>> = { "openai-chat": chat, anthropic };

/** @throws {UnsupportedFormatError} for a format that no conversation has. */
function dialectOf(format: Format): Dialect {
  const dialect = DIALECTS[format];
  if (!dialect) throw new UnsupportedFormatError(`This version keeps no conversations of the format ${format}.`);
  return dialect;
}

/** Takes the message out of a client's whole reply. @throws {UnsupportedFormatError} for what is no reply of this format. */
export function replyOf(reply: unknown, format: Format): Reply {
  const fields = isObject(reply) ? (reply as Fields) : {};
  const message = dialectOf(format).reply(fields);
  if (!message) throw new UnsupportedFormatError(`This is no whole reply of the format ${format}. Of a stream give the message it was put together to, or \`append\` a message of your own.`);
  return { message, usage: isObject(fields["usage"]) ? fields["usage"] : undefined };
}

/** What was learnt on a way that was given up, as a message. */
export function synthesisOf(words: string, format: Format): object {
  return dialectOf(format).synthesis(words);
}

/** What is sent: the messages, with what stands around them. */
export function posted(format: Format, around: Fields, messages: readonly unknown[]): object {
  return dialectOf(format).posted(around, messages);
}
