/** The real clients, each keeping a conversation the way its users do. */
import Anthropic from "@anthropic-ai/sdk";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, jsonSchema, streamText, tool, type ModelMessage, type ToolSet } from "ai";
import OpenAI from "openai";
import type { Answer } from "./answers.js";
import type { WireFormat } from "./provider.js";
import type { Item, Part, Result, Script } from "./script.js";

export type ClientName = "openai" | "anthropic" | "ai-openai" | "ai-anthropic";
export const CLIENTS: ClientName[] = ["openai", "anthropic", "ai-openai", "ai-anthropic"];
export const formatOf = (client: ClientName): WireFormat => (client.endsWith("anthropic") ? "anthropic" : "openai-chat");

/** What a client made of an answer. */
export interface Got {
  text: string;
  calls: { id: string; name: string; input: unknown }[];
}

/** Tokens: the least that may be asked for. */
const THINKING = 1024;

export interface Talk {
  add(item: Item): void;
  /** Asks for an answer and keeps it. Rejects with the client's own error. */
  ask(turn: number): Promise<Got>;
  /** Keeps an answer that was not given: the conversation goes on as if it had been. */
  keep(answer: Answer): void;
  /** Messages so far. */
  size(): number;
}

export interface Setting {
  script: Script;
  url: string;
  fetch: typeof fetch;
  model: string;
  maxTokens: number;
  stream: boolean;
}

export function open(client: ClientName, setting: Setting): Talk {
  switch (client) {
    case "openai":
      return openai(setting);
    case "anthropic":
      return anthropic(setting);
    default:
      return aiSdk(setting, formatOf(client));
  }
}

const header = (turn: number): { "x-turn": string } => ({ "x-turn": `${turn}` });
const asText = (parts: Part[]): string => parts.map((part) => (part.type === "text" ? part.text : "")).join("");

// ── openai ──

function openai({ script, url, fetch, model, maxTokens, stream }: Setting): Talk {
  const client = new OpenAI({ apiKey: "key", baseURL: `${url}/v1`, maxRetries: 0, fetch });
  const messages: any[] = script.system === undefined ? [] : [{ role: "system", content: script.system }];
  const tools = script.tools.map(({ name, description, schema }) => ({ type: "function" as const, function: { name, description, parameters: schema as any } }));
  const params = () => ({ model, messages, max_completion_tokens: maxTokens, ...(tools.length > 0 && { tools }) });
  return {
    add: (item) => void messages.push(...chatMessages(item)),
    async ask(turn) {
      const headers = header(turn);
      const reply = stream
        ? await client.chat.completions.stream({ ...params(), stream_options: { include_usage: true } }, { headers }).finalChatCompletion()
        : await client.chat.completions.create(params(), { headers });
      const { message } = reply.choices[0]!;
      messages.push(message);
      const calls = (message.tool_calls ?? []).map((call: any) => ({ id: call.id, name: call.function.name, input: JSON.parse(call.function.arguments) }));
      return { text: message.content ?? "", calls };
    },
    keep: (answer) => void messages.push(chatAnswer(answer)),
    size: () => messages.length,
  };
}

function chatMessages(item: Item): any[] {
  const raw = item.raw?.["openai-chat"];
  if (raw) return [raw];
  const picture = ({ media, data }: any): object => ({ type: "image_url", image_url: { url: `data:${media};base64,${data}` } });
  const parts = (list: Part[]): any => (list.every(({ type }) => type === "text") ? asText(list) : list.map((part) => (part.type === "text" ? part : picture(part))));
  switch (item.role) {
    case "system":
      return [{ role: "system", content: item.text }];
    case "user":
      return [{ role: "user", content: parts(item.parts) }];
    case "assistant":
      return [chatAnswer(item.answer)];
    case "results": {
      // Pictures stand in user messages only.
      const seen = item.results.flatMap((result) => result.parts.filter(({ type }) => type === "picture"));
      const told = item.results.map(({ id, parts: list }) => ({ role: "tool", tool_call_id: id, content: asText(list) }));
      return seen.length === 0 ? told : [...told, { role: "user", content: [{ type: "text", text: "What the tools showed:" }, ...seen.map(picture)] }];
    }
  }
}

function chatAnswer({ text, calls = [] }: Answer): any {
  const tool_calls = calls.map(({ id, name, input }) => ({ id, type: "function", function: { name, arguments: JSON.stringify(input) } }));
  return { role: "assistant", content: text ?? (calls.length > 0 ? null : ""), ...(calls.length > 0 && { tool_calls }) };
}

// ── anthropic ──

function anthropic({ script, url, fetch, model, maxTokens, stream }: Setting): Talk {
  const client = new Anthropic({ apiKey: "key", baseURL: url, maxRetries: 0, fetch });
  const messages: any[] = [];
  const tools = script.tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema as any }));
  const params = (): any => ({
    model,
    // Thinking is taken from the answer.
    max_tokens: maxTokens + (script.thinking ? THINKING : 0),
    messages,
    ...(script.system !== undefined && { system: script.system }),
    ...(tools.length > 0 && { tools }),
    ...(script.thinking && { thinking: { type: "enabled", budget_tokens: THINKING } }),
  });
  return {
    add: (item) => void messages.push(...anthropicMessages(item)),
    async ask(turn) {
      const headers = header(turn);
      const reply: Anthropic.Message = stream ? await client.messages.stream(params(), { headers }).finalMessage() : await client.messages.create(params(), { headers });
      messages.push({ role: "assistant", content: reply.content });
      const calls = reply.content.flatMap((block) => (block.type === "tool_use" ? [{ id: block.id, name: block.name, input: block.input }] : []));
      return { text: reply.content.map((block) => (block.type === "text" ? block.text : "")).join(""), calls };
    },
    keep: (answer) => void messages.push({ role: "assistant", content: answerBlocks(answer) }),
    size: () => messages.length,
  };
}

const blocks = (parts: Part[]): any[] =>
  parts.map((part) => (part.type === "text" ? part : { type: "image", source: { type: "base64", media_type: part.media, data: part.data } }));

function anthropicMessages(item: Item): any[] {
  const raw = item.raw?.anthropic;
  if (raw) return [raw];
  switch (item.role) {
    case "system":
      // Not a role here: a person's words then.
      return [{ role: "user", content: item.text }];
    case "user":
      return [{ role: "user", content: blocks(item.parts) }];
    case "assistant":
      return [{ role: "assistant", content: answerBlocks(item.answer) }];
    case "results":
      return [{ role: "user", content: item.results.map(({ id, parts, error }) => ({ type: "tool_result", tool_use_id: id, content: blocks(parts), ...(error && { is_error: true }) })) }];
  }
}

/** Without the thought: only a provider can sign one. */
function answerBlocks({ text, calls = [] }: Answer): any[] {
  return [...(text ? [{ type: "text", text }] : []), ...calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input }))];
}

// ── AI SDK ──

function aiSdk({ script, url, fetch, model, maxTokens, stream }: Setting, format: WireFormat): Talk {
  const base = { apiKey: "key", baseURL: `${url}/v1`, fetch };
  const used = format === "anthropic" ? createAnthropic(base)(model) : createOpenAI(base).chat(model);
  const messages: ModelMessage[] = [];
  const tools: ToolSet = Object.fromEntries(script.tools.map(({ name, description, schema }) => [name, tool({ description, inputSchema: jsonSchema<any>(schema) })]));
  return {
    add: (item) => void messages.push(...modelMessages(item, format)),
    async ask(turn) {
      const thinking = script.thinking && format === "anthropic" && { providerOptions: { anthropic: { thinking: { type: "enabled" as const, budgetTokens: THINKING } } } };
      const system = script.system === undefined ? {} : { system: script.system };
      const call = { model: used, messages, tools, maxOutputTokens: maxTokens, maxRetries: 0, headers: header(turn), ...system, ...thinking };
      // Its errors come out of the promises.
      const reply = stream ? streamText({ ...call, onError: () => undefined }) : await generateText(call);
      const [text, calls, response] = await Promise.all([reply.text, reply.toolCalls, reply.response]);
      messages.push(...response.messages);
      return { text, calls: calls.map(({ toolCallId, toolName, input }) => ({ id: toolCallId, name: toolName, input })) };
    },
    keep: (answer) => void messages.push(...modelMessages({ role: "assistant", answer }, format)),
    size: () => messages.length,
  };
}

function modelMessages(item: Item, format: WireFormat): ModelMessage[] {
  const image = (part: Part): any => (part.type === "text" ? part : { type: "image", image: part.data, mediaType: part.media });
  switch (item.role) {
    case "system":
      return [{ role: "user", content: item.text }];
    case "user":
      return [{ role: "user", content: item.parts.map(image) }];
    case "assistant": {
      const { text, calls = [] } = item.answer;
      const told = calls.map(({ id, name, input }) => ({ type: "tool-call" as const, toolCallId: id ?? "", toolName: name, input }));
      return [{ role: "assistant", content: [...(text ? [{ type: "text" as const, text }] : []), ...told] }];
    }
    case "results": {
      const output = ({ parts, error }: Result): any => {
        const seen = format === "anthropic" && parts.some(({ type }) => type === "picture");
        if (!seen) return { type: error ? "error-text" : "text", value: asText(parts) };
        return { type: "content", value: parts.map((part) => (part.type === "text" ? part : { type: "image-data", data: part.data, mediaType: part.media })) };
      };
      const told = item.results.map((result) => ({ type: "tool-result" as const, toolCallId: result.id, toolName: result.name, output: output(result) }));
      const seen = format === "anthropic" ? [] : item.results.flatMap(({ parts }) => parts.filter(({ type }) => type === "picture"));
      const pictures: ModelMessage = { role: "user", content: [{ type: "text", text: "What the tools showed:" }, ...seen.map(image)] };
      return [{ role: "tool", content: told }, ...(seen.length > 0 ? [pictures] : [])];
    }
  }
}
