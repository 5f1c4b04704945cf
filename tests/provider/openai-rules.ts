/** What OpenAI's Chat Completions accept as a history, and the words in which they refuse. */
import { picture, type Picture } from "./count.js";
import { invalid, refuse } from "./refusal.js";

/** Compatible hosts refuse more. */
export interface HostRules {
  /** The system message comes first and there is one at most. */
  systemFirst?: boolean;
  /** Apart from tool traffic, user and assistant take turns, the user first. */
  alternate?: boolean;
  /** `reasoning_content` comes back with every call that it led to. */
  reasoning?: boolean;
}

const ROLES = ["system", "developer", "user", "assistant", "tool"];

/** @throws {Refused} for the first rule that is broken. Returns the pictures, for the limits. */
export function checkOpenai(body: any, host: HostRules): Picture[] {
  if (typeof body.model !== "string") invalid("model", "you must provide a model parameter");
  if (!Array.isArray(body.messages)) invalid("messages", "Missing required parameter: 'messages'.", { param: "messages", code: "missing_required_parameter" });
  if (body.messages.length === 0) empty("messages");
  const pictures: Picture[] = [];
  body.messages.forEach((message: any, index: number) => checkMessage(message, `messages[${index}]`, pictures));
  if (body.tools !== undefined) checkTools(body.tools);
  checkPairs(body.messages);
  if (host.systemFirst) checkSystem(body.messages);
  if (host.alternate) checkTurns(body.messages);
  if (host.reasoning) checkReasoning(body.messages);
  return pictures;
}

function empty(path: string): never {
  const message = `Invalid '${path}': empty array. Expected an array with minimum length 1, but got an empty array instead.`;
  invalid("empty-content", message, { param: path, code: "empty_array" });
}

function wrongType(path: string, expected: string, got: unknown): never {
  const kind = got === null ? "null" : got === undefined ? "undefined" : Array.isArray(got) ? "an array" : typeof got === "object" ? "an object" : `a ${typeof got}`;
  invalid("content-type", `Invalid type for '${path}': expected ${expected}, but got ${kind} instead.`, { param: path, code: "invalid_type" });
}

function checkMessage(message: any, path: string, pictures: Picture[]): void {
  if (message === null || typeof message !== "object") wrongType(path, "an object", message);
  const { role, content } = message;
  if (!ROLES.includes(role)) {
    const known = "'system', 'assistant', 'user', 'function', 'tool', and 'developer'";
    invalid("role", `Invalid value: '${role}'. Supported values are: ${known}.`, { param: `${path}.role`, code: "invalid_value" });
  }
  if (message.tool_calls !== undefined && message.tool_calls !== null) {
    if (role !== "assistant") invalid("role", `Unknown parameter: '${path}.tool_calls'.`, { param: `${path}.tool_calls`, code: "unknown_parameter" });
    checkCalls(message.tool_calls, `${path}.tool_calls`);
  }
  if (role === "tool" && typeof message.tool_call_id !== "string") {
    invalid("missing-id", `Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.`, { param: `${path}.tool_call_id` });
  }
  if (content === null || content === undefined) {
    // Null or absent only beside calls.
    if (role === "assistant" && message.tool_calls?.length > 0) return;
    if (role === "assistant" && typeof message.refusal === "string") return;
    const expected = "expected a string, got null";
    invalid("empty-content", `Invalid value for 'content': ${expected}.`, { param: `${path}.content` });
  }
  if (typeof content === "string") return;
  if (!Array.isArray(content)) wrongType(`${path}.content`, "one of a string or array of objects", content);
  if (content.length === 0) empty(`${path}.content`);
  content.forEach((part: any, at: number) => checkPart(part, role, `${path}.content[${at}]`, path, pictures));
}

function checkPart(part: any, role: string, path: string, message: string, pictures: Picture[]): void {
  switch (part?.type) {
    case "text":
      if (typeof part.text !== "string") wrongType(`${path}.text`, "a string", part.text);
      return;
    case "image_url":
      if (role !== "user") {
        const words = `Image URLs are only allowed for messages with role 'user', but this message with role '${role}' contains an image URL.`;
        invalid("picture-place", `Invalid '${message}'. ${words}`, { param: message, code: "invalid_value" });
      }
      if (typeof part.image_url?.url !== "string") wrongType(`${path}.image_url`, "an object", part.image_url);
      pictures.push(picture(path, { url: part.image_url.url }, part.image_url.detail));
      return;
    case "refusal":
      if (role === "assistant") return;
      break;
    case "input_audio":
    case "file":
      if (role === "user") return;
  }
  const known = role === "user" ? "'text', 'image_url', 'input_audio', 'refusal', 'audio', and 'file'" : "'text'";
  invalid("part-type", `Invalid value: '${part?.type}'. Supported values are: ${known}.`, { param: `${path}.type`, code: "invalid_value" });
}

function checkCalls(calls: any, path: string): void {
  if (!Array.isArray(calls)) wrongType(path, "an array of objects", calls);
  if (calls.length === 0) empty(path);
  const ids = new Set<string>();
  calls.forEach((call: any, at: number) => {
    const place = `${path}[${at}]`;
    if (typeof call?.id !== "string") invalid("missing-id", `Missing required parameter: '${place}.id'.`, { param: `${place}.id` });
    if (typeof call.function?.name !== "string") invalid("call-name", `Missing required parameter: '${place}.function.name'.`, { param: place });
    if (!/^[a-zA-Z0-9_-]+$/.test(call.function.name)) {
      const words = "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.";
      invalid("call-name", `Invalid '${place}.function.name': ${words}`, { param: `${place}.function.name`, code: "invalid_value" });
    }
    if (typeof call.function.arguments !== "string") wrongType(`${place}.function.arguments`, "a string", call.function.arguments);
    // Two calls of one id could only be answered by two results of one id, which are refused.
    if (ids.has(call.id)) invalid("duplicate-call", `Invalid parameter: Duplicate value for 'id' of '${call.id}', in ${path}.`, { param: path });
    ids.add(call.id);
  });
}

function checkTools(tools: any): void {
  if (!Array.isArray(tools)) wrongType("tools", "an array of objects", tools);
  if (tools.length === 0) empty("tools");
  tools.forEach((tool: any, at: number) => {
    if (typeof tool?.function?.name !== "string") invalid("tools", `Missing required parameter: 'tools[${at}].function.name'.`, { param: `tools[${at}]` });
  });
}

/** Calls and results: each batch is answered in full, once, before any other role. */
function checkPairs(messages: any[]): void {
  let open = new Set<string>();
  let answered = new Map<string, number>();
  let asked = -1;
  const unanswered = (next: number): void => {
    if (open.size === 0) return;
    const words = "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
    const message = `${words} The following tool_call_ids did not have response messages: ${[...open].join(", ")}`;
    invalid("unanswered-call", message, { param: `messages.[${next}].role` });
  };
  messages.forEach((message, index) => {
    if (message.role === "tool") {
      const id = message.tool_call_id;
      const before = answered.get(id);
      if (before !== undefined) {
        const words = `Duplicate value for 'tool_call_id' of '${id}', in messages[${before}] and messages[${index}].`;
        invalid("duplicate-result", `Invalid parameter: ${words}`, { param: `messages.[${index}].tool_call_id` });
      }
      if (asked < 0 || !open.delete(id)) {
        const words = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
        invalid("orphan-result", `Invalid parameter: ${words}`, { param: `messages.[${index}].role` });
      }
      answered.set(id, index);
      return;
    }
    unanswered(index);
    answered = new Map();
    open = new Set((message.tool_calls ?? []).map((call: any) => call.id));
    asked = open.size > 0 ? index : -1;
  });
  unanswered(messages.length);
}

const isSystem = ({ role }: any): boolean => role === "system" || role === "developer";

function checkSystem(messages: any[]): void {
  if (messages.findLastIndex(isSystem) > 0) invalid("system-position", "System message must be at the beginning.");
}

function checkTurns(messages: any[]): void {
  const spoken = messages.filter((message) => message.role === "user" || (message.role === "assistant" && !message.tool_calls?.length));
  const wrong = spoken.some(({ role }, index) => role !== (index % 2 === 0 ? "user" : "assistant"));
  if (wrong) invalid("role-order", "Conversation roles must alternate user/assistant/user/assistant/...");
}

function checkReasoning(messages: any[]): void {
  for (const [index, message] of messages.entries()) {
    if (!message.tool_calls?.length || typeof message.reasoning_content === "string") continue;
    invalid("reasoning", `Missing reasoning_content in the assistant message with tool_calls at messages[${index}].`, { param: `messages[${index}]` });
  }
}

/** @throws {Refused} for pictures beyond the limits. */
export function checkOpenaiPictures(model: string, pictures: Picture[], limits: { images: number }): void {
  for (const { path, media, size } of pictures) {
    if (media === undefined) {
      const words = "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].";
      invalid("unreadable-picture", words, { param: path, code: "image_parse_error" });
    }
    if (!/^gpt-(5\.6|6)/.test(model)) continue;
    const patches = Math.ceil(size.width / 32) * Math.ceil(size.height / 32);
    if (patches <= 30_000 && Math.max(size.width, size.height) <= 65_535) continue;
    refuse({ kind: "images", rule: "picture-size", status: 400, message: `Image is too large: ${patches} patches, at most 30000.`, param: path });
  }
  if (pictures.length <= limits.images) return;
  const message = `Too many images in request. Max is ${limits.images}.`;
  refuse({ kind: "images", rule: "picture-count", status: 400, message, param: "messages" });
}
