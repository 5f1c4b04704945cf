// Where the real conversations are, and how they are read. They are no part of the project: without them the bundled session and the
// project's own words stand in.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { story } from "../../www/sessions/story.mjs";
import { root } from "../../scripts/lib/run.mjs";
import { corpusTexts, textsOf } from "../estimator/corpus-texts.mjs";
import { readSession } from "./package.mjs";

/** Kinds that issue 2/9 asks about by name; the rest is summed up. */
export const KINDS = ["a", "f", "g", "h", "i"];

/** The folder of the corpus, or undefined. */
export function corpusFolder() {
  const folder = process.env.PALIMPSEST_CORPUS ?? join(root, "../shared/corpus");
  return existsSync(folder) && statSync(folder).isDirectory() ? folder : undefined;
}

/** `{ kind, file, texts }` for each file: what a model would be sent, text by text. */
export function textFiles() {
  const folder = corpusFolder();
  return folder ? [...corpusTexts(folder)] : ownTexts();
}

/** `{ kind, name, request }` for each conversation of these kinds; a request is a body or a bare array of messages. */
export async function conversations(kinds) {
  const folder = corpusFolder();
  if (!folder) return Object.entries(story()).map(([name, request]) => ({ kind: "bundled", name, request }));
  const found = [];
  for (const entry of readdirSync(folder).sort()) {
    const kind = entry.slice(0, 1);
    if (!kinds.includes(kind) || !statSync(join(folder, entry)).isDirectory()) continue;
    for (const file of readdirSync(join(folder, entry)).sort()) {
      const bytes = readFileSync(join(folder, entry, file));
      if (kind === "a") found.push(...(await session(bytes, file)));
      else collect(parse(bytes.toString("utf8")), { kind, file, seen: new Set(), found });
    }
  }
  return found;
}

/** The main chain of a Claude Code file; nothing when the file holds none. */
async function session(bytes, name) {
  const { request } = await readSession(bytes);
  return request.messages?.length ? [{ kind: "a", name, request: { model: "claude-sonnet-4-5", ...request } }] : [];
}

/** One JSON value, or the values of lines; lines that are broken are broken on purpose. */
function parse(text) {
  const value = attempt(text.replace(/^\ufeff/, ""));
  return value === undefined ? text.split("\n").map(attempt) : value;
}

function attempt(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Every list of messages within a value, once: the request that holds it when there is one, else the bare list. */
function collect(value, to) {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value) && isHistory(value)) return keep(value, value, to);
  for (const [key, item] of Object.entries(value)) {
    const whole = key === "messages" && typeof value.model === "string" && isHistory(item);
    if (whole) keep(item, value, to);
    else collect(item, to);
  }
}

function keep(messages, request, { kind, file, seen, found }) {
  const text = JSON.stringify(messages);
  if (seen.has(text)) return;
  seen.add(text);
  found.push({ kind, name: `${file} #${seen.size}`, request });
}

const ROLES = new Set(["system", "developer", "user", "assistant", "tool"]);

function isHistory(items) {
  const message = (item) => ROLES.has(item?.role) && ("content" in item || "tool_calls" in item);
  return Array.isArray(items) && items.length > 0 && items.every(message);
}

/** Where a history, growing message by message, was sent: before each answer, and all of it. In between, calls wait for their results. */
export function requestsOf(messages) {
  const ends = messages.flatMap((message, i) => (i > 0 && message.role === "assistant" && messages[i - 1].role !== "assistant" ? [i] : []));
  if (messages.at(-1).role !== "assistant") ends.push(messages.length);
  return ends;
}

function ownTexts() {
  const files = Object.entries(story()).map(([file, body]) => ({ kind: "bundled session", file, texts: textsOf(body) }));
  const read = (kind, folder, end) => {
    for (const name of readdirSync(join(root, folder), { recursive: true }).sort()) {
      if (!name.endsWith(end) || /node_modules|target|generated/.test(name)) continue;
      // In pieces, so that there are halves to calibrate on.
      const texts = readFileSync(join(root, folder, name), "utf8").match(/(?:.*\n){1,40}/g) ?? [];
      files.push({ kind, file: name, texts });
    }
  };
  read("own source", "src", ".rs");
  read("own source", "pkg-template/src", ".ts");
  read("own papers", "docs", ".md");
  return files;
}
