/** Tells what an answer is: an overflow, or to be handed on. */
import { attempt } from "../glance.js";
import { overflow } from "../overflow.js";
import type { Overflow } from "../types.js";
import { opened, withBody } from "./stream.js";
import { isBody, parsed, type Said, type StreamEvent, type Wire } from "./wires/wire.js";

export interface Verdict {
  /** What is handed on where nothing is to be mended. */
  response: Response;
  overflow?: Overflow;
  /** The response itself tells of the overflow in a way that clients understand: as an error, and once. */
  told?: boolean;
  /** Gives the response up. */
  release(): void;
}

/** What is known of the request. */
export interface Case {
  wire: Wire;
  /** It asks for a stream. */
  streams: boolean;
  /** Tokens; `undefined` when nobody knows. */
  window: number | undefined;
  /** Share of the window that the request takes by the estimate. */
  fill: number;
  /** Called once the answer is complete. */
  hear(said: Said): void;
}

/** Statuses of other failures: whatever they say, it is not that the request was too large. */
const OTHERS = [401, 402, 403, 404, 408, 409, 429];
/** JSON that comes whole, not a line at a time. */
const JSON_WHOLE = /\/(?:[\w.-]+\+)?json\b/;
/** A request that fills less of the window was hardly refused for its size. */
const FULL = 0.5;

export async function judge(response: Response, about: Case): Promise<Verdict> {
  const type = response.headers?.get?.("content-type") ?? "";
  if (!response.ok) return refusal(response, type, about);
  const json = JSON_WHOLE.test(type);
  if (typeof response.body?.getReader === "function") {
    if (type.includes("text/event-stream") || (json && about.streams && (await isStream(response)))) return stream(response, about);
  }
  return json ? whole(response, about) : handedOn(response);
}

/** Some hosts call a stream JSON, and clients take it for what they asked for: its first bytes tell. */
async function isStream(response: Response): Promise<boolean> {
  const reader = attempt(() => response.clone().body?.getReader());
  const first = await reader?.read().catch(() => undefined);
  void reader?.cancel().catch(() => {});
  return /^\s*[^\s[{]/.test(new TextDecoder().decode(first?.value));
}

function handedOn(response: Response): Verdict {
  return { response, release: () => void response.body?.cancel?.().catch(() => {}) };
}

async function refusal(response: Response, type: string, { fill }: Case): Promise<Verdict> {
  const verdict = handedOn(response);
  if (OTHERS.includes(response.status)) return verdict;
  const found = await overflow(response);
  if (found) return { ...verdict, overflow: found, told: response.status < 500 && type.includes("json") };
  if (response.status !== 400 || fill < FULL || type !== "") return verdict;
  const words = await response.clone().text().catch(() => "?");
  if (words.trim() !== "") return verdict;
  return { ...verdict, overflow: { kind: "tokens", message: "The provider refused the request without a word (400)." }, told: false };
}

async function whole(response: Response, { wire, window, hear }: Case): Promise<Verdict> {
  const verdict = handedOn(response);
  // A body of Node's streams (node-fetch) stops when only one of its copies is read.
  const copy = response.body && typeof response.body.getReader !== "function" ? undefined : attempt(() => response.clone());
  // What breaks off breaks off for the one who asked, too.
  const reply = parsed((await copy?.text().catch(() => "")) ?? "");
  if (!reply) return verdict;
  const found = reply["error"] ? await overflow(reply) : null;
  if (found) return { ...verdict, overflow: found, told: false };
  if (wire.isFull(reply, window)) {
    return { ...verdict, overflow: { kind: "tokens", message: "The window was full before the first word of an answer." }, told: true };
  }
  if (!reply["error"]) hear(wire.said(reply));
  return verdict;
}

async function stream(response: Response, { wire, hear }: Case): Promise<Verdict> {
  const { first, rest, cancel } = await opened(response.body as ReadableStream<Uint8Array>);
  if (first && isError(first)) {
    const found = await overflow(parsed(first.data) ?? first.data);
    if (found) return { response, overflow: found, told: false, release: cancel };
  }
  const assembly = wire.assemble();
  let done = false;
  const end = (): void => {
    if (done) return;
    done = true;
    const said = assembly.said();
    if (said) hear(said);
  };
  const see = (event: StreamEvent): void => {
    if (done) return;
    try {
      if (assembly.take(event)) end();
    } catch {
      done = true; // of an answer in no shape that is known nothing is learnt
    }
  };
  return { response: withBody(response, rest(see, end)), release: cancel };
}

function isError({ event, data }: StreamEvent): boolean {
  return event === "error" || (data.includes('"error"') && isBody(parsed(data)));
}
