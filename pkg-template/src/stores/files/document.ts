/**
 * A conversation as a file: one JSON value in lines, so that of a torn file every whole line can be read.
 *
 *     {"palimpsest":1,"id":…,"agent":…,"revision":…,"updatedAt":…,"messages":…,"blobs":[…],"head":{…},"nodes":[
 *     {"id":…,"parent":…,"at":…,"message":{…}},
 *     …
 *     ],"check":"SHA-256 of all before this line"}
 */
import { createHash } from "node:crypto";
import { shortened } from "../../errors.js";
import { isTable } from "../../json.js";
import { noRoom } from "../change.js";
import type { Head, Node } from "../store.js";
import { firstLine, readWhole } from "./disk.js";

/** The first line. */
export interface FileHead {
  /** The layout's version. */
  palimpsest: number;
  id: string;
  agent: string;
  revision: number;
  updatedAt: number;
  messages: number;
  /** Hashes of the bytes it uses. */
  blobs: string[];
  head: Head;
}

export interface Document {
  /** The first line; of whatever shape it has. */
  line: Record<string, unknown>;
  /** The same, when it has all that it must. */
  head: FileHead | undefined;
  nodes: unknown[];
  /** What is wrong with it, in words. */
  lost: string[];
  /** The lines of nodes as they are written, when nothing is wrong with them. */
  body: Uint8Array | undefined;
}

/** A text that is longer cannot be read back: engines have no such strings. */
const LONGEST = 500_000_000;

/** Fields of the first line. */
const NAMES = new Set(["palimpsest", "id", "agent", "revision", "updatedAt", "messages", "blobs", "head"]);

const END = '\n],"check":"';

export function documentOf(bytes: Uint8Array<ArrayBuffer>): Document {
  const lost: string[] = [];
  const text = textOf(bytes, lost);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return salvaged(text, lost);
  }
  const { nodes, check, ...line } = isTable(value) ? value : {};
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = buffer.lastIndexOf(END);
  // A file without the sum was edited by hand, and whoever did that says by leaving it out that it is as it should be.
  const right = check !== undefined && end >= 0 && check === sumOf([buffer.subarray(0, end + 1)]);
  if (check !== undefined && !right) lost.push("its check sum is wrong");
  if (!Array.isArray(nodes)) lost.push("it has no list of nodes");
  const strange = Object.keys(line).find((name) => !NAMES.has(name));
  if (strange !== undefined) lost.push(`it has a field of no known name (${shortened(strange)})`);
  const list: unknown[] = Array.isArray(nodes) ? nodes : [];
  const start = buffer.indexOf(10) + 1;
  return finished(line, list, lost, right && list.length > 0 ? buffer.subarray(start, end) : undefined);
}

function finished(line: Record<string, unknown>, nodes: unknown[], lost: string[], body?: Uint8Array): Document {
  const head = headOf(line);
  if (!head) lost.push("its first line lacks something");
  return { line, head, nodes, lost, body };
}

/** Every line that can be read. */
function salvaged(text: string, lost: string[]): Document {
  const [first = "", ...lines] = text.split("\n");
  const line = lineOf(first);
  if (text === "") lost.push("it is empty");
  else if (!line) lost.push("its first line cannot be read");
  const nodes: unknown[] = [];
  let torn = 0;
  let ended = false;
  for (const each of lines) {
    if (each.startsWith("]")) ended = true;
    else if (each !== "") {
      const node = parsed(each.endsWith(",") ? each.slice(0, -1) : each);
      if (isTable(node)) nodes.push(node);
      else torn++;
    }
  }
  if (torn > 0) lost.push(`${torn} of its lines cannot be read`);
  if (!ended) lost.push("it ends too early");
  if (lost.length === 0) lost.push("it is no JSON");
  return finished(line ?? {}, nodes, lost);
}

function lineOf(first: string): Record<string, unknown> | undefined {
  const value = parsed(`${first}]}`);
  if (!isTable(value)) return undefined;
  const { nodes: _, ...line } = value;
  return line;
}

/** What the list needs of a file, without reading its messages; `undefined` when there is none, or it cannot be told. */
export async function readHead(path: string): Promise<FileHead | undefined> {
  const first = await firstLine(path);
  if (first === undefined) return undefined;
  const line = lineOf(first);
  if (line) return headOf(line);
  // Written anew by hand, in lines of another kind.
  const bytes = await readWhole(path);
  return bytes && documentOf(bytes).head;
}

function headOf(line: Record<string, unknown>): FileHead | undefined {
  const { palimpsest, id, agent, revision, updatedAt, messages, blobs, head } = line;
  const numbers = [palimpsest, revision, updatedAt, messages].every((value) => typeof value === "number");
  const texts = [id, agent].every((value) => typeof value === "string");
  const hashes = Array.isArray(blobs) && blobs.every((hash) => typeof hash === "string");
  return numbers && texts && hashes && isTable(head) ? (line as unknown as FileHead) : undefined;
}

/** The file with these nodes added; the lines of the others go over as they are. */
export function written(head: FileHead, before: Document | undefined, added: readonly Node[]): Uint8Array[] {
  const old = before?.body;
  const nodes = old ? added : [...((before?.nodes ?? []) as Node[]), ...added];
  const lines = nodes.map((node) => JSON.stringify(node)).join(",\n");
  const first = JSON.stringify(head);
  const parts: Uint8Array[] = [Buffer.from(`${first.slice(0, -1)},"nodes":[\n`)];
  if (old) parts.push(old, Buffer.from(lines === "" ? "" : ",\n"));
  parts.push(Buffer.from(lines), Buffer.from("\n"));
  parts.push(Buffer.from(`],"check":"${sumOf(parts)}"}\n`));
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  if (size > LONGEST) throw noRoom(`A conversation of ${Math.round(size / 1e6)} MB is too long for one file.`);
  return parts;
}

function sumOf(parts: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

function textOf(bytes: Uint8Array, lost: string[]): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    lost.push("it is not UTF-8");
    return new TextDecoder().decode(bytes);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
