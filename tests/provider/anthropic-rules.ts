/** What Anthropic's Messages accept as a history, and the words in which they refuse. */
import { pictureOf, type Picture } from "./count.js";
import { invalid, refuse } from "./refusal.js";
import { checkThinking, type Issued } from "./thinking.js";

export interface MessageRules {
  /** A `system` role inside `messages`: newer models only. */
  systemInside: boolean;
  /** Thinking that nobody here issued: taken as it is, or refused. */
  foreignSignatures: boolean;
}

/** Consecutive messages of one role: what "the next message" is judged by. */
interface Turn {
  role: string;
  /** Of the first message. */
  index: number;
  blocks: { block: any; path: string }[];
}

/** @throws {Refused} for the first rule that is broken. Returns the pictures, for the limits. */
export function checkAnthropic(body: any, rules: MessageRules, issued: Issued): Picture[] {
  if (typeof body.model !== "string") invalid("model", "model: Field required");
  if (!Number.isInteger(body.max_tokens)) invalid("max-tokens", "max_tokens: Field required");
  if (!Array.isArray(body.messages)) invalid("messages", "messages: Field required");
  if (body.messages.length === 0) invalid("messages", "messages: at least one message is required");
  if (body.messages.some((message: any) => message === null || typeof message !== "object")) invalid("messages", "messages: Input should be an object");
  if (body.system !== undefined && typeof body.system !== "string" && !Array.isArray(body.system)) invalid("system", "system: Input should be a valid list");
  // An empty string is no system prompt.
  if (body.system) blocksOf(body.system, "system").forEach(({ block, path }) => checkText(block, path, "system"));
  if (body.messages[0].role !== "user") invalid("first-role", 'messages: first message must use the "user" role');
  const pictures: Picture[] = [];
  body.messages.forEach((message: any, index: number) => checkMessage(message, index, body.messages, rules, pictures));
  const turns = joined(body.messages);
  checkPairs(turns);
  checkThinking(body, turns, rules, issued);
  checkMarkers(body);
  return pictures;
}

export function blocksOf(content: any, path: string): { block: any; path: string }[] {
  if (typeof content === "string") return [{ block: { type: "text", text: content }, path }];
  return content.map((block: any, at: number) => ({ block, path: `${path}.${at}` }));
}

function joined(messages: any[]): Turn[] {
  const turns: Turn[] = [];
  messages.forEach(({ role, content }, index) => {
    // Instructions between are no turn of their own.
    if (role === "system") return;
    const blocks = blocksOf(content, `messages.${index}.content`);
    if (turns.at(-1)?.role === role) turns.at(-1)!.blocks.push(...blocks);
    else turns.push({ role, index, blocks });
  });
  return turns;
}

function checkMessage(message: any, index: number, all: any[], rules: MessageRules, pictures: Picture[]): void {
  const { role, content } = message;
  if (role === "system" && rules.systemInside) return checkInstruction(index, all);
  if (role === "system") {
    const words = "The Messages API accepts a top-level `system` parameter, not \"system\" as an input message role.";
    invalid("role", `messages: Unexpected role "system". ${words}`);
  }
  if (role !== "user" && role !== "assistant") invalid("role", `messages.${index}.role: Input should be 'user' or 'assistant'`);
  if (typeof content !== "string" && !Array.isArray(content)) invalid("content-type", `messages.${index}.content: Input should be a valid list`);
  if (content.length === 0) {
    if (role === "assistant" && index === all.length - 1) return;
    invalid("empty-content", `messages.${index}: all messages must have non-empty content except for the optional final assistant message`);
  }
  for (const { block, path } of blocksOf(content, `messages.${index}.content`)) checkBlock(block, role, path, pictures);
  const last = index === all.length - 1 && role === "assistant" ? blocksOf(content, "").at(-1)!.block : undefined;
  if (last?.type === "text" && last.text !== last.text.trimEnd()) {
    invalid("trailing-blank", "messages: final assistant content cannot end with trailing whitespace");
  }
}

/** A system message inside: not first, after a user turn, last or before an assistant (or another of its kind), text only. */
function checkInstruction(index: number, all: any[]): void {
  let before = index - 1;
  while (all[before]?.role === "system") before--;
  if (all[before]?.role !== "user") invalid("system-position", `messages.${index}: role 'system' must follow a 'user' message`);
  const next = all[index + 1]?.role;
  if (next === "user") invalid("system-position", `messages.${index}: role 'system' must be the last message or be followed by an 'assistant' message`);
  for (const { block, path } of blocksOf(all[index].content ?? [], `messages.${index}.content`)) {
    if (block.type !== "text") invalid("system-content", `${path}: role 'system' supports text content only`);
    checkText(block, path, "messages");
  }
}

function checkText(block: any, path: string, where: "messages" | "system"): void {
  if (block?.type !== "text") {
    if (where === "system") invalid("part-type", `${path}.type: Input should be 'text'`);
    return;
  }
  if (typeof block.text !== "string") invalid("content-type", `${path}.text.text: Field required`);
  if (block.text === "") invalid("empty-content", `${where}: text content blocks must be non-empty`);
  if (block.text.trim() === "") invalid("empty-content", `${where}: text content blocks must contain non-whitespace text`);
}

const USER = ["text", "image", "document", "tool_result", "search_result", "container_upload"];

function checkBlock(block: any, role: string, path: string, pictures: Picture[]): void {
  const type = block?.type;
  if (typeof type !== "string") invalid("part-type", `${path}.type: Field required`);
  // Blocks of the provider's own tools come and go with the assistant; there are more of them every month.
  if (role === "user" && !USER.includes(type)) invalid("part-type", `${path}: ${type} blocks may only appear in assistant messages`);
  if (role === "assistant" && (type === "image" || type === "tool_result")) invalid("part-type", `${path}: ${type} blocks may only appear in user messages`);
  checkText(block, path, "messages");
  if (type === "image") pictures.push(pictureIn(block, path));
  if (type === "tool_use" || type === "server_tool_use") {
    if (typeof block.id !== "string") invalid("missing-id", `${path}.${type}.id: Field required`);
    if (!/^[a-zA-Z0-9_-]+$/.test(block.id)) invalid("missing-id", `${path}.${type}.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
    if (typeof block.name !== "string" || block.name === "") invalid("call-name", `${path}.${type}.name: Field required`);
    if (block.input === null || typeof block.input !== "object" || Array.isArray(block.input)) {
      invalid("call-input", `${path}.${type}.input: Input should be a valid dictionary`);
    }
  }
  if (type !== "tool_result") return;
  if (typeof block.tool_use_id !== "string") invalid("missing-id", `${path}.tool_result.tool_use_id: Field required`);
  if (block.content === undefined || block.content === null) return;
  if (typeof block.content === "string") return;
  if (!Array.isArray(block.content)) invalid("content-type", `${path}.tool_result.content: Input should be a valid list`);
  block.content.forEach((inner: any, at: number) => {
    const place = `${path}.tool_result.content.${at}`;
    if (!["text", "image", "document", "search_result", "tool_reference"].includes(inner?.type)) {
      invalid("part-type", `${place}: Input tag '${inner?.type}' found using 'type' does not match any of the expected tags`);
    }
    checkText(inner, place, "messages");
    if (inner.type === "image") pictures.push(pictureIn(inner, place));
  });
}

function pictureIn(block: any, path: string): Picture {
  if (!["base64", "url", "file"].includes(block.source?.type)) invalid("picture-source", `${path}.image.source: Field required`);
  return pictureOf(block, path);
}

const list = (ids: Iterable<string>): string => [...ids].join(", ");

/** Calls and results: each call is answered in the very next turn, the results first in it, and nothing else is answered there. */
function checkPairs(turns: Turn[]): void {
  const provided = new Set<string>();
  turns.forEach((turn, at) => {
    if (turn.role === "user") return checkResults(turn, at > 0 ? turns[at - 1]! : undefined);
    const calls = callsOf(turn);
    for (const { block, path } of turn.blocks) {
      if (block.type === "server_tool_use") provided.add(block.id);
      // Results of the provider's own tools may come in a later response, never before their call.
      else if (block.type.endsWith("_tool_result") && !provided.has(block.tool_use_id)) {
        const words = `unexpected \`tool_use_id\` found in \`${block.type}\` blocks: ${block.tool_use_id}.`;
        invalid("orphan-result", `${path}: ${words} Each \`${block.type}\` block must have a corresponding \`server_tool_use\` block before it.`);
      }
    }
    if (calls.size === 0) return;
    const given = leading(turns[at + 1]);
    const open = [...calls].filter((id) => !given.has(id));
    if (open.length === 0) return;
    const words = `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${list(open)}.`;
    const last = turn.blocks.findLast(({ block }) => block.type === "tool_use")!;
    const index = last.path.split(".")[1];
    invalid("unanswered-call", `messages.${index}: ${words} Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`);
  });
}

function callsOf(turn: Turn): Set<string> {
  const ids = new Set<string>();
  for (const { block, path } of turn.blocks) {
    if (block.type !== "tool_use") continue;
    if (ids.has(block.id)) invalid("duplicate-call", `${path.split(".").slice(0, 2).join(".")}: \`tool_use\` ids must be unique`);
    ids.add(block.id);
  }
  return ids;
}

/** The results that stand before anything else in a turn. */
function leading(turn: Turn | undefined): Set<string> {
  const ids = new Set<string>();
  for (const { block } of turn?.blocks ?? []) {
    if (block.type !== "tool_result") break;
    ids.add(block.tool_use_id);
  }
  return ids;
}

function checkResults(turn: Turn, before: Turn | undefined): void {
  const calls = before ? callsOf(before) : new Set<string>();
  const seen = new Set<string>();
  for (const { block, path } of turn.blocks) {
    if (block.type !== "tool_result") continue;
    const id = block.tool_use_id;
    if (!calls.has(id)) {
      const words = `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}.`;
      invalid("orphan-result", `${path}: ${words} Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`);
    }
    if (seen.has(id)) invalid("duplicate-result", `${path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`);
    seen.add(id);
  }
}

/** Breakpoints of the prompt cache: four at most. */
function checkMarkers(body: any): void {
  let found = 0;
  const visit = (value: any): void => {
    if (value === null || typeof value !== "object") return;
    if (!Array.isArray(value) && value.cache_control != null) found++;
    // A call's arguments and a tool's schema are the caller's own.
    for (const [key, inner] of Object.entries(value)) if (key !== "input" && key !== "input_schema") visit(inner);
  };
  visit([body.system, body.tools, body.messages]);
  if (found > 4) invalid("cache-markers", `A maximum of 4 blocks with cache_control may be provided. Found ${found}.`);
}

export interface PictureLimits {
  images: number;
  /** Bytes of base64 of one picture. */
  imageBytes: number;
}

/** Pixels an edge may have, and what it may have beyond so many pictures. */
const EDGE = { always: 8000, many: 2000, from: 20 };

/** @throws {Refused} for pictures beyond the limits. */
export function checkAnthropicPictures(pictures: Picture[], limits: PictureLimits): void {
  for (const { path, media, declared } of pictures) {
    if (media === undefined) invalid("unreadable-picture", `${path}: Could not process image`);
    if (media === "" || declared === media) continue;
    const words = `The image was specified using the ${declared} media type, but the image appears to be a ${media} image`;
    invalid("picture-media", `${path}: ${words}`);
  }
  const too = (rule: string, message: string): never => refuse({ kind: "images", rule, status: 400, message });
  if (pictures.length > limits.images) too("picture-count", `Too much media: 0 document pages + ${pictures.length} images > ${limits.images}`);
  const many = pictures.length > EDGE.from;
  const edge = many ? EDGE.many : EDGE.always;
  for (const { path, size, base64 } of pictures) {
    if (base64 > limits.imageBytes) too("picture-bytes", `${path}.data: image exceeds ${Math.round(limits.imageBytes / 2 ** 20)} MB maximum: ${base64} bytes > ${limits.imageBytes} bytes`);
    if (Math.max(size.width, size.height) <= edge) continue;
    const words = "At least one of the image dimensions exceed max allowed size";
    too("picture-size", `${path}.data: ${words}${many ? " for many-image requests" : ""}: ${edge} pixels`);
  }
}
