/** Takes the message out of a client's whole reply. Only what the request format takes back stays of it. */
import { UnsupportedFormatError } from "../errors.js";
import { isObject } from "../json.js";
import type { Format } from "../types.js";

export interface Reply {
  message: object;
  /** As it came; `undefined` when the reply tells none. */
  usage: object | undefined;
}

type Fields = Record<string, unknown>;

/** @throws {UnsupportedFormatError} for what is no reply of this format. */
export function replyOf(reply: unknown, format: Format): Reply {
  const fields = isObject(reply) ? (reply as Fields) : {};
  const message = format === "anthropic" ? anthropic(fields) : format === "openai-chat" ? chat(fields) : undefined;
  if (!message) throw new UnsupportedFormatError(`This is no whole reply of the format ${format}. Of a stream give the message it was put together to, or \`append\` a message of your own.`);
  return { message, usage: isObject(fields["usage"]) ? fields["usage"] : undefined };
}

/** A Messages API reply. */
function anthropic({ role, content }: Fields): object | undefined {
  if (role !== "assistant" || !Array.isArray(content)) return undefined;
  return { role, content };
}

/** Fields of an assistant message that Chat Completions, and hosts that speak it, take back. `refusal` and calls only where there are some. */
const KEPT = ["refusal", "tool_calls", "function_call", "name", "reasoning_content", "reasoning_details"] as const;

/** A Chat Completions reply. */
function chat({ choices }: Fields): object | undefined {
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
}
