/** What a request costs, counted with a real tokenizer (o200k_base), for both endpoints. */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { anthropicPicture, openaiPicture, pictureIn, REMOTE, type Size } from "./pictures.js";

/** Every message costs so much beside its words, and so does the beginning of the answer (OpenAI cookbook, "How to count tokens"). */
const MESSAGE = 3;
const NAME = 1;
const PRIMING = 3;
/** Tool definitions (the same, "Counting tokens for chat completions with tool calls", gpt-4o). */
const TOOL = { start: 7, properties: 3, property: 3, choices: -3, choice: 3, end: 12 };
/** What Anthropic puts before the first tool: the figure its documentation gives for Claude 4 ("tool use", `auto`). */
const TOOL_PROMPT = 346;

const known = new Map<string, number>();

/** Tokens of a text. Long texts come again with every turn, so they are counted once. */
export function tokensOf(text: string): number {
  if (text.length < 24) return countTokens(text, { disallowedSpecial: new Set() });
  let count = known.get(text);
  if (count === undefined) {
    count = countTokens(text, { disallowedSpecial: new Set() });
    known.set(text, count);
  }
  return count;
}

const json = (value: unknown): number => tokensOf(JSON.stringify(value) ?? "");

export interface Picture {
  /** Where it stands, as the provider names it. */
  path: string;
  size: Size;
  /** What the header says; absent when it is unreadable, "" when it is not here to be read. */
  media: string | undefined;
  /** What the sender said. */
  declared: string | undefined;
  /** Letters of base64. */
  base64: number;
  detail: string;
}

const sizes = new Map<string, ReturnType<typeof pictureIn>>();

/** A picture by its base64, or by a URL that holds it. */
export function picture(path: string, source: { data?: string; url?: string; declared?: string }, detail = "auto"): Picture {
  const inline = /^data:([^;,]*);base64,/.exec(source.url ?? "");
  const data = source.data ?? (inline ? source.url!.slice(inline[0].length) : undefined);
  const declared = source.declared ?? inline?.[1];
  if (data === undefined) return { path, size: REMOTE, media: "", declared, base64: 0, detail };
  const key = `${data.length} ${data.slice(0, 8192)}`;
  if (!sizes.has(key)) sizes.set(key, pictureIn(Buffer.from(data, "base64")));
  const found = sizes.get(key);
  return { path, size: found ?? { width: 0, height: 0 }, media: found?.media, declared, base64: data.length, detail };
}

/** Tokens of the fixed part (system and tools) and of each message. They add up with `PRIMING` to what is billed. */
export interface Counted {
  fixed: number;
  messages: number[];
  total: number;
}

const sum = (numbers: number[]): number => numbers.reduce((all, one) => all + one, 0);

function counted(fixed: number, messages: number[]): Counted {
  return { fixed, messages, total: fixed + sum(messages) + PRIMING };
}

/** A chat completion. Its instructions are messages, so the fixed part is the tools. */
export function countOpenai(body: any): Counted {
  const message = (entry: any, index: number): number => {
    let tokens = MESSAGE + tokensOf(String(entry.role));
    if (typeof entry.name === "string") tokens += NAME + tokensOf(entry.name);
    if (typeof entry.content === "string") tokens += tokensOf(entry.content);
    else for (const [at, part] of (entry.content ?? []).entries()) tokens += openaiPart(body.model, part, `messages[${index}].content[${at}]`);
    if (typeof entry.reasoning_content === "string") tokens += tokensOf(entry.reasoning_content);
    for (const call of entry.tool_calls ?? []) {
      tokens += MESSAGE + tokensOf(call.id) + tokensOf(call.function.name) + tokensOf(call.function.arguments);
    }
    if (typeof entry.tool_call_id === "string") tokens += tokensOf(entry.tool_call_id);
    return tokens;
  };
  return counted(openaiTools(body.tools ?? []), body.messages.map(message));
}

function openaiPart(model: string, part: any, path: string): number {
  if (part.type === "text") return tokensOf(part.text);
  if (part.type === "refusal") return tokensOf(part.refusal);
  if (part.type !== "image_url") return json(part);
  const found = picture(path, { url: part.image_url.url }, part.image_url.detail ?? "auto");
  return openaiPicture(model, found.size, found.detail);
}

function openaiTools(tools: any[]): number {
  if (tools.length === 0) return 0;
  const each = tools.map(({ function: { name, description = "", parameters } }: any) => {
    const properties = Object.entries<any>(parameters?.properties ?? {});
    let tokens = TOOL.start + tokensOf(`${name}:${description.replace(/\.$/, "")}`);
    if (properties.length > 0) tokens += TOOL.properties;
    for (const [key, { type, description = "", enum: choices, ...rest }] of properties) {
      tokens += TOOL.property + tokensOf(`${key}:${type}:${description.replace(/\.$/, "")}`);
      if (choices) tokens += TOOL.choices + sum(choices.map((choice: unknown) => TOOL.choice + tokensOf(String(choice))));
      // The published rule stops at the first level.
      if (Object.keys(rest).length > 0) tokens += json(rest);
    }
    return tokens;
  });
  return sum(each) + TOOL.end;
}

/** A call of /v1/messages. */
export function countAnthropic(body: any): Counted {
  const { system, tools = [], model } = body;
  let fixed = system === undefined ? 0 : MESSAGE + anthropicBlocks(model, system, "system");
  if (tools.length > 0) fixed += TOOL_PROMPT + sum(tools.map(({ cache_control: _, ...tool }: any) => json(tool)));
  const message = (entry: any, index: number): number =>
    MESSAGE + tokensOf(entry.role) + anthropicBlocks(model, entry.content, `messages.${index}.content`);
  return counted(fixed, body.messages.map(message));
}

function anthropicBlocks(model: string, content: any, path: string): number {
  if (typeof content === "string") return tokensOf(content);
  return sum((content ?? []).map((block: any, index: number) => anthropicBlock(model, block, `${path}.${index}`)));
}

function anthropicBlock(model: string, block: any, path: string): number {
  switch (block.type) {
    case "text":
      return tokensOf(block.text);
    case "image":
      return anthropicPicture(model, pictureOf(block, path).size).tokens;
    case "thinking":
      return tokensOf(block.thinking) + tokensOf(block.signature);
    case "tool_use":
    case "server_tool_use":
      return MESSAGE + tokensOf(block.id) + tokensOf(block.name) + json(block.input);
    case "tool_result":
      return MESSAGE + tokensOf(block.tool_use_id) + anthropicBlocks(model, block.content, `${path}.content`);
    default: {
      const { cache_control: _, ...rest } = block;
      return json(rest);
    }
  }
}

/** The picture of an `image` block. */
export function pictureOf({ source }: any, path: string): Picture {
  const at = `${path}.image.source.${source.type}`;
  return picture(at, source.type === "base64" ? { data: source.data, declared: source.media_type } : { url: source.url });
}
