/**
 * A strict provider of language models, on a loopback port: OpenAI's Chat Completions and Anthropic's Messages.
 * It refuses what they refuse, in their words, and counts what they bill. Written from the public facts about them, with nothing of the package:
 * what the package holds to be right is judged here by another.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { madeUp, say, type Answer, type Said } from "./answers.js";
import { checkAnthropic, checkAnthropicPictures, type MessageRules } from "./anthropic-rules.js";
import { chainOf, PrefixCache } from "./cache.js";
import { countAnthropic, countOpenai, type Counted, type Picture } from "./count.js";
import { faultRefusal, type Fault } from "./faults.js";
import { checkOpenai, checkOpenaiPictures, type HostRules } from "./openai-rules.js";
import { refuse, Refused, type Refusal, type RefusalKind } from "./refusal.js";
import { sendEvents, sendJson } from "./send.js";
import type { Issued } from "./thinking.js";
import { anthropic, blocksOf, openai, type Usage, type Wire } from "./wires.js";
import { checkOutput, overflowing, type Room, type Words } from "./words.js";

export type { Answer } from "./answers.js";
export type { Fault } from "./faults.js";
export { WORDS, type Words } from "./words.js";

export type WireFormat = "openai-chat" | "anthropic";

/** A request that arrived. */
export interface Arrived {
  /** From 0, in order of arrival. */
  number: number;
  /** What the header `x-turn` said: the same for a retry, other for the next turn. */
  turn: number | undefined;
  format: WireFormat;
  body: any;
}

export interface ProviderOptions {
  /** Tokens of input and answer together. Default 128,000. */
  window?: number;
  /** Longest answer that may be asked for. Default: the window. */
  maxOutput?: number;
  /** In whose words it refuses what does not fit. Default: those of the endpoint. */
  words?: Words;
  /** Default: 50 MB and 1500 pictures for OpenAI; 32 MB, 100 pictures and 10 MB a picture for Anthropic. */
  limits?: { bytes?: number; images?: number; imageBytes?: number };
  /** What hosts with OpenAI's format refuse besides. */
  host?: HostRules;
  rules?: Partial<MessageRules>;
  /** What it says. Default: words made up from the request and `seed`. */
  answer?: (request: Arrived) => Answer | Promise<Answer>;
  /** Requests for a summary, and how they are answered. Nothing or a rejection cuts the connection. */
  summary?: { when: (request: Arrived) => boolean; answer: (request: Arrived) => string | undefined | Promise<string | undefined> };
  fault?: (request: Arrived) => Fault | undefined;
  /** Milliseconds between two events of a stream. */
  pace?: number;
  seed?: number;
}

export interface Entry {
  number: number;
  turn: number | undefined;
  format: WireFormat;
  kind: "ok" | RefusalKind;
  rule: string;
  status: number;
  message: string;
  stream: boolean;
  /** It asked for a summary. */
  summary: boolean;
  bytes: number;
  messages: number;
  pictures: number;
  /** Tokens; 0 where it came to no count. */
  input: number;
  cached: number;
  output: number;
  /** The client hung up before the end. */
  aborted: boolean;
  /** What it answered. */
  said: Said | undefined;
  body: any;
}

export interface Provider {
  /** Without a path: `${url}/v1/messages`. */
  url: string;
  /** Every request, in order. */
  log: Entry[];
  /** May be changed at any time. */
  options: ProviderOptions;
  close(): Promise<void>;
}

const LIMITS = {
  "openai-chat": { bytes: 50 * 2 ** 20, images: 1500, imageBytes: Infinity },
  anthropic: { bytes: 32 * 2 ** 20, images: 100, imageBytes: 10 * 2 ** 20 },
};
const PATHS: Record<string, WireFormat> = { "/v1/chat/completions": "openai-chat", "/v1/messages": "anthropic" };
const WIRES: Record<WireFormat, Wire> = { "openai-chat": openai, anthropic };

export async function startProvider(options: ProviderOptions = {}): Promise<Provider> {
  const log: Entry[] = [];
  const cache = new PrefixCache();
  const issued: Issued = new Map();
  const provider: Provider = { url: "", log, options, close };
  const server = createServer((request, response) => {
    serve(provider, { cache, issued }, request, response).catch((error: unknown) => {
      // A fault of the provider's own must not pass for a refusal.
      console.error(error);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return provider;

  async function close(): Promise<void> {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

interface Memory {
  cache: PrefixCache;
  issued: Issued;
}

async function serve(provider: Provider, memory: Memory, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const format = PATHS[request.url?.split("?")[0] ?? ""];
  if (request.method !== "POST" || !format) return sendJson(response, 404, { error: { message: `Invalid URL (${request.method} ${request.url})`, type: "invalid_request_error" } });
  const wire = WIRES[format];
  const number = provider.log.length;
  const turn = request.headers["x-turn"] === undefined ? undefined : Number(request.headers["x-turn"]);
  const entry: Entry = {
    ...{ number, turn, format, kind: "ok", rule: "", status: 200, message: "", stream: false, summary: false },
    ...{ bytes: 0, messages: 0, pictures: 0, input: 0, cached: 0, output: 0, aborted: false, said: undefined, body: undefined },
  };
  provider.log.push(entry);
  response.on("close", () => (entry.aborted = !response.writableFinished));
  const text = await textOf(request);
  entry.bytes = text.length;
  try {
    await answer(provider, memory, { number, turn, format, body: undefined }, entry, text, request, response);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { refusal } = error;
    const { kind, rule, status, message } = refusal;
    Object.assign(entry, { kind, rule, status, message });
    sendJson(response, status, refusal.body ?? wire.error(refusal), refusal.headers);
  }
}

async function answer(provider: Provider, memory: Memory, arrived: Arrived, entry: Entry, bytes: Buffer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { options } = provider;
  const { format } = arrived;
  const wire = WIRES[format];
  checkKey(format, request.headers);
  const limits = { ...LIMITS[format], ...options.limits };
  if (bytes.length > limits.bytes) refuse({ kind: "bytes", rule: "bytes", status: 413, message: "Request exceeds the maximum size" });
  const body = (arrived.body = entry.body = parse(format, bytes.toString("utf8")));
  entry.stream = body.stream === true;
  const fault = options.fault?.(arrived);
  const refused = faultRefusal(format, fault, { input: Math.round(bytes.length / 4) });
  if (refused) refuse(refused);

  const pictures = check(options, memory.issued, format, body);
  entry.messages = body.messages.length;
  entry.pictures = pictures.length;
  if (format === "anthropic") checkAnthropicPictures(pictures, limits);
  else checkOpenaiPictures(body.model, pictures, limits);
  const counted = format === "anthropic" ? countAnthropic(body) : countOpenai(body);
  entry.input = counted.total;
  const room = roomOf(options, body, counted);
  const events = fit(options, format, room, fault, entry, wire);
  if (events) return sendEvents(response, events, {});

  entry.summary = options.summary?.when(arrived) ?? false;
  const said = await saidTo(provider, arrived, entry.summary, fault, room);
  if (said === undefined) return void response.destroy();
  const chain = chainOf(body);
  const usage: Usage = { input: counted.total, cached: memory.cache.share(chain, counted), output: said.tokens };
  memory.cache.remember(chain);
  Object.assign(entry, { cached: usage.cached, output: usage.output, said });
  if (said.thinking !== undefined) remember(memory.issued, said);
  const reply = { id: `${arrived.number}`, body, said, usage };
  const pace = { wait: fault?.kind === "slow" ? fault.ms : 0, pace: options.pace ?? 0, cut: fault?.kind === "cut" ? fault.events : Infinity };
  if (entry.stream) return sendEvents(response, wire.events(reply), pace);
  if (pace.wait > 0) await new Promise((resolve) => setTimeout(resolve, pace.wait));
  sendJson(response, 200, wire.whole(reply), {}, pace.cut < Infinity);
}

function checkKey(format: WireFormat, headers: IncomingMessage["headers"]): void {
  if (format === "openai-chat" && !/^Bearer \S/.test(headers.authorization ?? "")) {
    refuse({ kind: "auth", rule: "key", status: 401, message: "You didn't provide an API key.", code: "invalid_api_key" });
  }
  if (format === "openai-chat") return;
  if (!headers["x-api-key"] && !headers.authorization) refuse({ kind: "auth", rule: "key", status: 401, message: "x-api-key header is required" });
  if (!headers["anthropic-version"]) refuse({ kind: "auth", rule: "version", status: 400, message: "anthropic-version: header is required" });
}

function parse(format: WireFormat, text: string): any {
  try {
    const body = JSON.parse(text);
    if (body !== null && typeof body === "object" && !Array.isArray(body)) return body;
  } catch {
    // Told below.
  }
  const message =
    format === "anthropic"
      ? "The request body is not valid JSON"
      : "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly.)";
  refuse({ kind: "validity", rule: "json", status: 400, message });
}

function check(options: ProviderOptions, issued: Issued, format: WireFormat, body: any): Picture[] {
  if (format === "openai-chat") return checkOpenai(body, options.host ?? {});
  return checkAnthropic(body, { systemInside: false, foreignSignatures: true, ...options.rules }, issued);
}

function roomOf({ window = 128_000 }: ProviderOptions, body: any, { total }: Counted): Room {
  const output = body.max_completion_tokens ?? body.max_tokens ?? undefined;
  return { input: total, output, window, model: body.model };
}

/** @throws {Refused} for what does not fit. Returns the events of a stream that says so, where a fault asks for it that way. */
function fit(options: ProviderOptions, format: WireFormat, room: Room, fault: Fault | undefined, entry: Entry, wire: Wire): string[] | undefined {
  checkOutput(format, room, options.maxOutput ?? room.window);
  const over = room.input + (room.output ?? 0) > room.window;
  const words = options.words ?? (format === "anthropic" ? "anthropic" : "openai");
  const streamed = (refusal: Refusal): string[] => {
    const { kind, rule, message } = refusal;
    Object.assign(entry, { kind, rule, message });
    return [wire.errorEvent(refusal)];
  };
  if (fault?.kind === "streamed-error" && entry.stream) {
    const type = format === "anthropic" ? "api_error" : "server_error";
    return streamed({ kind: "fault", rule: "streamed-error", status: 500, type, message: "The server had an error while processing your request." });
  }
  if (!over) return undefined;
  const refusal = overflowing(words, room);
  if (fault?.kind === "streamed-overflow" && entry.stream) return streamed(refusal);
  refuse(refusal);
}

async function saidTo({ options }: Provider, arrived: Arrived, summary: boolean, fault: Fault | undefined, room: Room): Promise<Said | undefined> {
  const left = Math.min(room.output ?? Infinity, room.window - room.input);
  if (fault?.kind === "no-room") return { text: "", thinking: undefined, calls: [], finish: "length", tokens: 0 };
  if (summary) {
    const text = await options.summary!.answer(arrived);
    return text === undefined ? undefined : say({ text }, left, `${arrived.number}`);
  }
  const answer = await (options.answer?.(arrived) ?? madeUp(arrived.body, options.seed ?? 0));
  return say(answer, left, `${arrived.turn ?? arrived.number}`);
}

function remember(issued: Issued, said: Said): void {
  const blocks = blocksOf(said);
  for (const { type, signature } of blocks) if (type === "thinking") issued.set(signature, blocks);
}

async function textOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
