/** What became of each message: the input and the result side by side. Untouched messages and parts come back as the very same objects. */
import type { CompactionRecord } from "palimpsest";
import { takePages } from "./laid.js";
import { type Called, envelopeParts, messagesOf, type Part, partsOf } from "./outline.js";
import type { Entry, LaidPages, MessageEntry, PartView } from "./protocol.js";

/** Letters of a part that the timeline shows before it is opened. */
const PREVIEW = 400;
/** A picture costs about as many tokens as this many letters. */
const PICTURE = 2000;

/** `records`: what was laid, for it says which messages are on pages. */
export function entriesOf(input: object, output: object, records: readonly CompactionRecord[]): Entry[] {
  const called: Called = new Map();
  const before = messagesOf(input).map((message) => ({ message, parts: partsOf(message, called) }));
  const after = messagesOf(output).map((message) => ({ message, parts: partsOf(message, called) }));
  const places = placesOf(before);
  const sent = new Set(after.flatMap(({ parts }) => parts.map(({ raw }) => raw)).filter((raw) => typeof raw === "object"));

  const entries: Entry[] = [];
  const beside = envelopeParts(input);
  if (beside.length > 0) entries.push({ kind: "message", index: -1, role: "system", fate: "kept", parts: beside.map((part) => view(part, "kept")) });

  const laid = after.map(({ parts }) => takePages(parts));
  const isDrawn = drawnIn(records, laid.flatMap(({ laid }) => laid));
  let next = 0;
  const upTo = (end: number): void => {
    for (; next < end; next++) entries.push(left(next, before[next]!, sent, isDrawn(next)));
  };
  for (const [at, { message }] of after.entries()) {
    const { laid: pages, rest: parts } = laid[at]!;
    entries.push(...pages);
    if (pages.length > 0 && parts.length === 0) continue;
    const index = place(message, parts, places, next);
    if (index === undefined) {
      const text = parts.map(({ text }) => text).join("\n");
      entries.push({ kind: "marker", text });
      continue;
    }
    upTo(index);
    entries.push(message === before[index]!.message ? kept(index, before[index]!) : changed(index, before[index]!, parts));
    next = index + 1;
  }
  upTo(before.length);
  return entries;
}

/** Whether the message at an index of the input stands on a page: all of a range do, but those that found no room, its oldest. */
function drawnIn(records: readonly CompactionRecord[], laid: readonly LaidPages[]): (index: number) => boolean {
  const ranges = records
    .filter(({ rung }) => rung === "snapshot")
    .map(({ from, to }, at) => ({ from: Number(from) + (laid[at]?.leftOut ?? 0), to: Number(to) }));
  return (index) => ranges.some(({ from, to }) => index >= from && index <= to);
}

interface Read {
  message: unknown;
  parts: Part[];
}
type Places = Map<unknown, number[]>;

/** Where each message, part and call stands in the input. */
function placesOf(before: Read[]): Places {
  const places: Places = new Map();
  const put = (key: unknown, index: number): void => {
    const list = places.get(key);
    if (list) list.push(index);
    else places.set(key, [index]);
  };
  for (const [index, { message, parts }] of before.entries()) {
    put(message, index);
    for (const { raw, id, kind } of parts) {
      if (typeof raw === "object") put(raw, index);
      if (id !== undefined) put(`${kind === "call" ? "call" : "result"} ${id}`, index);
    }
  }
  return places;
}

/** The message of the input, from `next` on, that this one of the result was; `undefined` when it is new. */
function place(message: unknown, parts: Part[], places: Places, next: number): number | undefined {
  const keys = [message, ...parts.flatMap(({ raw, id, kind }) => [typeof raw === "object" ? raw : undefined, id && `${kind === "call" ? "call" : "result"} ${id}`])];
  for (const key of keys) {
    const index = key !== undefined && places.get(key)?.find((index) => index >= next);
    if (typeof index === "number") return index;
  }
  return undefined;
}

function kept(index: number, { message, parts }: Read): MessageEntry {
  return { kind: "message", index, role: roleOf(message), fate: "kept", parts: parts.map((part) => view(part, "kept")) };
}

/** A message that the result has no counterpart of. A repair may have moved its parts into another one. */
function left(index: number, { message, parts }: Read, sent: Set<unknown>, drawn: boolean): MessageEntry {
  const views = parts.map((part) => view(part, sent.has(part.raw) ? "kept" : "gone"));
  const moved = views.length > 0 && views.every(({ fate }) => fate === "kept");
  return { kind: "message", index, role: roleOf(message), fate: moved ? "kept" : drawn ? "drawn" : "dropped", parts: views };
}

function changed(index: number, { message, parts }: Read, now: Part[]): MessageEntry {
  const old = new Set(parts.map(({ raw }) => raw));
  const instead = now.filter(({ raw }) => !old.has(raw));
  const still = new Set(now.map(({ raw }) => raw));
  const views = parts.map((part) => {
    if (still.has(part.raw)) return view(part, "kept");
    const at = instead.findIndex(({ id }) => id === part.id);
    return at < 0 ? view(part, "gone") : { ...view(part, "replaced"), now: instead.splice(at, 1)[0]!.text };
  });
  return { kind: "message", index, role: roleOf(message), fate: "changed", parts: views };
}

function view({ kind, title, text, error }: Part, fate: PartView["fate"]): PartView {
  const preview = text.length > PREVIEW ? `${text.slice(0, PREVIEW)}…` : text;
  return { kind, title, preview, length: kind === "image" ? PICTURE : text.length, error, fate };
}

function roleOf(message: unknown): string {
  const { role, content } = (message ?? {}) as { role?: unknown; content?: unknown };
  if (role === "user" && Array.isArray(content) && content.length > 0 && content.every((part) => (part as { type?: unknown })?.type === "tool_result")) return "tool";
  return String(role ?? "?");
}
