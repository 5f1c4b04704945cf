/** Recorded sessions as scripts: kinds a (Claude Code) and f (chat messages) of the corpus, where there is one. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readSession } from "../../pkg/read-session.js";
import type { Answer } from "./answers.js";
import type { Item, Part, Script } from "./script.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const corpus = process.env["PALIMPSEST_CORPUS"] ?? join(root, "../shared/corpus");

export type Kind = "a-claude-code" | "f-openai-chat";

/** Every session of a kind; none, and a line that says so, without the corpus. */
export async function sessions(kind: Kind): Promise<Script[]> {
  const folder = join(corpus, kind);
  if (!existsSync(folder)) {
    console.log(`skipped: there is no corpus at ${folder}`);
    return [];
  }
  const found: Script[] = [];
  for (const file of readdirSync(folder).sort()) {
    const bytes = readFileSync(join(folder, file));
    if (kind === "a-claude-code") {
      const { request } = await readSession(bytes);
      found.push(scriptOf(file, (request as { messages: any[] }).messages.flatMap(ofAnthropic())));
    } else {
      const lists = histories(JSON.parse(bytes.toString("utf8")));
      found.push(...lists.map((list, index) => scriptOf(`${file} #${index}`, list.map(cleaned).flatMap(ofChat()))));
    }
  }
  return found.filter(({ steps }) => steps.length > 0);
}

/** Cuts a list of items where an answer was asked for. What comes after the last answer was never asked, and is left out. */
function scriptOf(name: string, items: Item[]): Script {
  const [first] = items;
  const system = first?.role === "system" ? first.text : undefined;
  const script: Script = { name, tools: [], steps: [], ...(system && { system }) };
  let add: Item[] = [];
  for (const item of system === undefined ? items : items.slice(1)) {
    // Of two answers in a row only the first was asked for; with nothing before it none was.
    if (item.role !== "assistant" || add.length === 0) add.push(item);
    else {
      script.steps.push({ add, answer: item.answer });
      add = [];
    }
  }
  const names = new Set(script.steps.flatMap(({ answer }) => answer.calls?.map(({ name }) => name) ?? []));
  script.tools = [...names].sort().map((tool) => ({ name: tool, description: `The tool ${tool}.`, schema: { type: "object", properties: {} } }));
  return script;
}

const text = (words: unknown): Part => ({ type: "text", text: typeof words === "string" ? words : JSON.stringify(words ?? "") });

// ── Anthropic ──

/** Reads messages one by one; it remembers what calls were named. */
function ofAnthropic(): (message: any) => Item[] {
  const names = new Map<string, string>();
  return (message) => {
    const blocks: any[] = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
    const raw = { anthropic: { role: message.role, content: message.content } };
    if (message.role === "assistant") {
      const answer: Answer = {};
      for (const block of blocks) {
        if (block.type === "text") answer.text = (answer.text ?? "") + block.text;
        if (block.type === "thinking") answer.thinking = (answer.thinking ?? "") + block.thinking;
        if (block.type !== "tool_use") continue;
        names.set(block.id, block.name);
        (answer.calls ??= []).push({ id: block.id, name: block.name, input: block.input });
      }
      return [{ role: "assistant", answer, raw }];
    }
    const results = blocks.filter(({ type }) => type === "tool_result");
    const rest = blocks.filter(({ type }) => type !== "tool_result");
    const items: Item[] = [];
    if (results.length > 0) {
      const told = results.map((block) => ({ id: block.tool_use_id, name: names.get(block.tool_use_id) ?? "unknown", parts: partsOf(block.content), error: block.is_error === true }));
      items.push({ role: "results", results: told, raw: { anthropic: { role: "user", content: results } } });
    }
    // As it was recorded where it is of one kind, else after the results.
    if (rest.length > 0) items.push({ role: "user", parts: partsOf(rest), raw: { anthropic: { role: "user", content: results.length > 0 ? rest : message.content } } });
    return items;
  };
}

function partsOf(content: any): Part[] {
  if (!Array.isArray(content)) return [text(content)];
  return content.map((block): Part => {
    if (block.type === "text") return text(block.text);
    if (block.type === "image" && block.source?.type === "base64") return { type: "picture", data: block.source.data, media: block.source.media_type };
    return text(block);
  });
}

// ── chat messages ──

const ROLES = ["system", "developer", "user", "assistant", "tool"];

/** Every list of messages within a value, but for those that another begins with: they are replayed with it. */
function histories(value: unknown): any[][] {
  const found: any[][] = [];
  const visit = (inner: any): void => {
    if (inner === null || typeof inner !== "object") return;
    const messages = Array.isArray(inner) && inner.length > 0 && inner.every((item) => ROLES.includes(item?.role) && ("content" in item || "tool_calls" in item));
    if (messages) found.push(inner);
    else Object.values(inner).forEach(visit);
  };
  visit(value);
  const keys = found.map((list) => list.map((message) => JSON.stringify(cleaned(message))).join("\n"));
  return found.filter((_, at) => !keys.some((key, other) => other !== at && key.startsWith(keys[at]!) && (key !== keys[at] || other < at)));
}

/** The fields that are sent: recorders keep more beside them, and write calls in a way of their own. */
function cleaned(message: any): any {
  const { role, content, name, tool_calls, tool_call_id, tool_call_ids } = message;
  const calls = tool_calls?.map((call: any) => {
    const of = typeof call.function === "string" ? { name: call.function, arguments: JSON.stringify(call.arguments) } : call.function;
    return { id: call.id, type: "function", function: { name: of.name, arguments: of.arguments } };
  });
  const id = tool_call_id ?? tool_call_ids?.[0];
  return {
    role,
    content,
    ...(typeof name === "string" && role !== "tool" && { name }),
    ...(role === "assistant" && calls?.length > 0 && { tool_calls: calls }),
    ...(role === "tool" && { tool_call_id: id }),
  };
}

function ofChat(): (message: any) => Item[] {
  const names = new Map<string, string>();
  return (message) => {
    const raw = { "openai-chat": message };
    const parts = chatParts(message.content);
    switch (message.role) {
      case "assistant": {
        const calls = message.tool_calls?.map((call: any) => {
          names.set(call.id, call.function.name);
          return { id: call.id, name: call.function.name, input: parsed(call.function.arguments) };
        });
        const words = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
        return [{ role: "assistant", answer: { ...(words !== "" && { text: words }), ...(calls && { calls }) }, raw }];
      }
      case "tool": {
        const id = message.tool_call_id;
        return [{ role: "results", results: [{ id, name: names.get(id) ?? "unknown", parts }], raw }];
      }
      case "user":
        return [{ role: "user", parts, raw }];
      default:
        return [{ role: "system", text: parts.map((part) => (part.type === "text" ? part.text : "")).join("\n"), raw }];
    }
  };
}

function chatParts(content: any): Part[] {
  if (content === null || content === undefined) return [];
  if (!Array.isArray(content)) return [text(content)];
  return content.map((part): Part => {
    const [, media, data] = /^data:([^;]+);base64,(.*)$/s.exec(part.image_url?.url ?? "") ?? [];
    return media && data ? { type: "picture", media, data } : text(part.text ?? part);
  });
}

/** Arguments as an object: a model's slip in them is not what is tested here. */
function parsed(words: string): unknown {
  try {
    const value = JSON.parse(words);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? value : { value };
  } catch {
    return { words };
  }
}
