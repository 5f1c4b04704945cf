/** What stands in a message, in either format: its parts, in order, with whatever makes them known again. */
import type { Format } from "palimpsest";
import type { PartKind } from "./protocol.js";

export interface Part {
  kind: PartKind;
  title: string;
  text: string;
  source?: string;
  error: boolean;
  /** The id of the call that this is, or answers. */
  id?: string;
  /** The caller's own object (or text): the very same in the result when nothing changed it. */
  raw: unknown;
}

type Json = Record<string, any>;

/** Call ids and what was called, filled as messages are read in order. */
export type Called = Map<string, string>;

export function partsOf(message: unknown, called: Called): Part[] {
  const { role, content, tool_calls, tool_call_id, reasoning_content } = (message ?? {}) as Json;
  const parts: Part[] = [];
  if (typeof reasoning_content === "string") parts.push(part("reasoning", "", reasoning_content, reasoning_content));
  if (role === "tool") return [...parts, ...resultParts(content, tool_call_id, false, content, called)];
  const kind = role === "system" || role === "developer" ? "system" : "text";
  if (typeof content === "string") parts.push(part(kind, "", content, content));
  else if (Array.isArray(content)) for (const block of content) parts.push(...blockParts(block, kind, called));
  for (const call of Array.isArray(tool_calls) ? (tool_calls as Json[]) : []) {
    parts.push(callPart(call["id"], call["function"]?.name, call["function"]?.arguments, call, called));
  }
  return parts;
}

function blockParts(block: Json, kind: PartKind, called: Called): Part[] {
  switch (block?.["type"]) {
    case "text":
    case "input_text":
      return [part(kind, "", block["text"], block)];
    case "thinking":
      return [part("reasoning", "", block["thinking"], block)];
    case "redacted_thinking":
      return [part("reasoning", "", "(encrypted)", block)];
    case "tool_use":
    case "server_tool_use":
      return [callPart(block["id"], block["name"], block["input"], block, called)];
    case "tool_result":
      return resultParts(block["content"], block["tool_use_id"], block["is_error"] === true, block, called);
    case "image":
    case "image_url":
      return [picture(block)];
    default:
      return [part("other", String(block?.["type"] ?? "part"), JSON.stringify(block) ?? "", block)];
  }
}

function callPart(id: string, name: string, input: unknown, raw: unknown, called: Called): Part {
  const text = typeof input === "string" ? input : JSON.stringify(input, null, 2);
  const title = `${name ?? "call"} ${subject(input)}`.trim();
  if (id) called.set(id, title);
  return { ...part("call", title, text, raw), ...(id && { id }) };
}

/** What a call is about: the first of its arguments that is a text. */
function subject(input: unknown): string {
  let value = input;
  if (typeof value === "string") {
    try {
      value = JSON.parse(value);
    } catch {
      return "";
    }
  }
  const first = Object.values((value ?? {}) as Json).find((argument) => typeof argument === "string") as string | undefined;
  return first === undefined ? "" : first.split("\n")[0]!.slice(0, 80);
}

function resultParts(content: unknown, id: string, error: boolean, raw: unknown, called: Called): Part[] {
  const title = called.get(id) ?? "";
  const known = { error, ...(id && { id }) };
  if (!Array.isArray(content)) return [{ ...part("result", title, content, raw), ...known }];
  return (content as Json[]).map((block) =>
    block?.["type"] === "image" ? { ...picture(block), title, ...known } : { ...part("result", title, block?.["text"] ?? JSON.stringify(block), block), ...known },
  );
}

function picture(block: Json): Part {
  const { source, image_url } = block;
  const address: unknown = source?.type === "base64" ? `data:${source.media_type};base64,${source.data}` : (source?.url ?? image_url?.url ?? image_url);
  const held = typeof address === "string" && address.startsWith("data:image/");
  return { ...part("image", "", held ? "" : String(address), block), ...(held && { source: address }) };
}

function part(kind: PartKind, title: string, text: unknown, raw: unknown): Part {
  return { kind, title, text: typeof text === "string" ? text : text == null ? "" : JSON.stringify(text), error: false, raw };
}

/** The system prompt and the tools, where they stand beside the messages. */
export function envelopeParts(request: object): Part[] {
  const { system, tools } = request as Json;
  const words = Array.isArray(system) ? system.map((block: Json) => block["text"] ?? "").join("\n\n") : system;
  const parts = words ? [part("system", "", words, system)] : [];
  if (Array.isArray(tools) && tools.length > 0) {
    const names = tools.map((tool: Json) => tool["name"] ?? tool["function"]?.name ?? tool["type"]);
    parts.push(part("system", `${tools.length} tools`, names.join(", "), tools));
  }
  return parts;
}

export function messagesOf(request: object): unknown[] {
  const list: unknown = Array.isArray(request) ? request : (request as Json)["messages"];
  return Array.isArray(list) ? list : [];
}

/** The format, for people: the package finds it out again by itself. */
export function formatOf(request: object): Format {
  if ("system" in request) return "anthropic";
  const chat = (messagesOf(request) as Json[]).some(
    (message) => message?.["role"] === "system" || message?.["role"] === "tool" || message?.["tool_calls"] || (Array.isArray(message?.["content"]) && message["content"].some((block: Json) => block?.["type"] === "image_url")),
  );
  const blocks = (messagesOf(request) as Json[]).some(
    (message) => Array.isArray(message?.["content"]) && message["content"].some((block: Json) => ["tool_use", "tool_result", "thinking", "image"].includes(block?.["type"])),
  );
  if (chat === blocks) return String((request as Json)["model"]).includes("claude") ? "anthropic" : "openai-chat";
  return chat ? "openai-chat" : "anthropic";
}
