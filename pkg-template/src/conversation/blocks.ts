/** What a person reads of a message, whatever its format: words, calls, results, pictures. Messages are not to be trusted to be of any shape. */
import { isObject } from "../json.js";

export interface Block {
  kind: "text" | "reasoning" | "call" | "result" | "picture" | "other";
  /** The tool of a call, the call of a result. */
  name: string;
  /** Words; of a call its arguments, of a picture its data URL or address. */
  text: string;
}

type Fields = Record<string, unknown>;

/** Who speaks. */
export function speakerOf(message: unknown): string {
  const role = isObject(message) ? (message as Fields)["role"] : undefined;
  return typeof role === "string" ? role : "unknown";
}

export function blocksOf(message: unknown): Block[] {
  if (!isObject(message)) return [];
  const { role, content, tool_calls: calls, tool_call_id: answers, refusal, reasoning_content: reasoning, function_call: call } = message as Fields;
  const blocks = [...words("reasoning", reasoning)];
  if (role === "tool") blocks.push({ kind: "result", name: text(answers), text: plainOf(content) }, ...partsOf(content).filter(({ kind }) => kind === "picture"));
  else blocks.push(...partsOf(content));
  blocks.push(...words("text", refusal));
  for (const made of [...(Array.isArray(calls) ? (calls as unknown[]) : []), ...(isObject(call) ? [{ function: call }] : [])]) {
    const { function: fn, custom } = (isObject(made) ? made : {}) as Fields;
    const { name, arguments: given, input } = ((isObject(fn) ? fn : custom) ?? {}) as Fields;
    blocks.push({ kind: "call", name: text(name), text: text(given ?? input) });
  }
  return blocks;
}

function partsOf(content: unknown): Block[] {
  if (!Array.isArray(content)) return words("text", content);
  return content.flatMap((part: unknown): Block[] => (isObject(part) ? partOf(part as Fields) : words("text", part)));
}

function partOf(part: Fields): Block[] {
  switch (part["type"]) {
    case "text":
      return words("text", part["text"]);
    case "refusal":
      return words("text", part["refusal"]);
    case "thinking":
      return words("reasoning", part["thinking"]);
    case "tool_use":
    case "server_tool_use":
      return [{ kind: "call", name: text(part["name"]), text: text(part["input"]) }];
    case "tool_result":
      return [{ kind: "result", name: text(part["tool_use_id"]), text: plainOf(part["content"]) }, ...partsOf(part["content"]).filter(({ kind }) => kind === "picture")];
    case "image_url": {
      const image = part["image_url"];
      return [{ kind: "picture", name: "", text: text(isObject(image) ? (image as Fields)["url"] : image) }];
    }
    case "image": {
      const { type, media_type: media, data, url } = (isObject(part["source"]) ? part["source"] : {}) as Fields;
      return [{ kind: "picture", name: "", text: type === "base64" ? `data:${text(media)};base64,${text(data)}` : text(url) }];
    }
    default:
      return [{ kind: "other", name: text(part["type"]), text: text(part) }];
  }
}

/** The words of a content alone. */
function plainOf(content: unknown): string {
  return partsOf(content).flatMap(({ kind, text }) => (kind === "picture" ? [] : [text])).join("\n");
}

function words(kind: "text" | "reasoning", value: unknown): Block[] {
  return value === undefined || value === null || value === "" ? [] : [{ kind, name: "", text: text(value) }];
}

function text(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : (JSON.stringify(value, null, 2) ?? "");
}
