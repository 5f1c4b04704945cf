/** "palimpsest/sessions": reads exported sessions. Files are not trusted: what is broken in them is mended, and the report says how. */
import "palimpsest"; // by its own name: the entry for where this runs, which says where the WebAssembly module is
import { OptionError, PalimpsestError, shortened } from "./errors.js";
import { faultOf } from "./fault.js";
import { isObject, isTable } from "./json.js";
import { init } from "./load.js";
import { EXPORT } from "./conversation/export.js";
import type { Exported } from "./conversation/exported.js";
import { optionsIn, writable } from "./conversation/given.js";
import { newId } from "./conversation/ids.js";
import { AGENT, restore } from "./conversation/opening.js";
import { State } from "./conversation/state.js";
import { joinBlobs } from "./stores/blobs.js";
import { headFaults, nodeFault } from "./stores/change.js";
import type { Head, Node, NodeId } from "./stores/store.js";
import { memoryStore } from "./stores/memory.js";

export type { Exported } from "./conversation/exported.js";

/** Who wrote a session. This version reads its own exports, "palimpsest". */
export type SessionKind = "claude-code" | "chatgpt" | "claude-ai" | "codex" | "pi" | "sharegpt" | "palimpsest";

export interface ImportReport {
  kind: SessionKind;
  /** Lines of the file. */
  lines: number;
  /** What was not read, by its line (from 1), and why; also what was mended, on line 0. */
  skipped: { line: number; why: string }[];
  /** Messages that follow another one than they named: theirs was not there, or followed them in a circle. */
  reattached: number;
  /** Leaves of all trees. */
  branches: number;
}

/** Bytes of a file that are read at most. */
const LARGEST = 512 * 1024 * 1024;

/**
 * Reads a session that was exported as "json" or "jsonl".
 *
 * Rejects with code "import-failed": it is no JSON (the message says where), of another kind, from a later version, or larger than
 * 512 MB; UnsupportedFormatError for messages of a format that this version does not read.
 */
export async function importSession(file: string | Uint8Array, options?: { kind?: SessionKind }): Promise<{ conversations: Exported[]; report: ImportReport }> {
  const { kind = "palimpsest" } = optionsIn(options);
  if (typeof file !== "string" && !(file instanceof Uint8Array)) throw new OptionError("A session is its text, or its bytes.");
  if (kind !== "palimpsest") throw failed(`Sessions of the kind ${shortened(String(kind))} are not read by this version.`);
  if (file.length > LARGEST) throw failed("The file is larger than 512 MB.");
  const text = typeof file === "string" ? file : new TextDecoder().decode(file);
  await init();
  const { head, nodes, lines, skipped } = parsed(text.replace(/^\ufeff/, ""));
  const { conversation, faults, reattached } = await mended(head, nodes, skipped);
  skipped.push(...faults.map((why) => ({ line: 0, why })));
  return { conversations: [conversation], report: { kind, lines, skipped, reattached, branches: leaves(conversation.nodes) } };
}

interface Parsed {
  head: Record<string, unknown>;
  nodes: { line: number; node: unknown }[];
  lines: number;
  skipped: ImportReport["skipped"];
}

/** One document, or one a line. */
function parsed(text: string): Parsed {
  const lines = text.split("\n");
  const first = attempt(lines[0] ?? "");
  if (isTable(first) && first["nodes"] === undefined && "palimpsest" in first) return ofLines(first, lines);
  let whole: unknown;
  try {
    whole = JSON.parse(text);
  } catch (cause) {
    const { line, column, what } = faultOf(text);
    throw failed(text.trim() === "" ? "The file is empty." : `Broken JSON at line ${line}, column ${column}: ${what}.`, cause);
  }
  if (!isTable(whole) || !("palimpsest" in whole)) throw failed("This is no session that palimpsest exported.");
  checkVersion(whole);
  if (!Array.isArray(whole["nodes"])) throw failed("The session has no list of `nodes`.");
  const count = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  // As it is written, the first node stands on the second line.
  return { head: whole, nodes: whole["nodes"].map((node: unknown, index) => ({ line: index + 2, node })), lines: count, skipped: [] };
}

function ofLines(head: Record<string, unknown>, lines: readonly string[]): Parsed {
  checkVersion(head);
  const skipped: ImportReport["skipped"] = [];
  const nodes: Parsed["nodes"] = [];
  let count = 1;
  lines.forEach((text, index) => {
    if (index === 0 || text.trim() === "") return;
    count = index + 1;
    const node = attempt(text);
    if (node === undefined) skipped.push({ line: index + 1, why: "this is no JSON" });
    else nodes.push({ line: index + 1, node });
  });
  return { head, nodes, lines: count, skipped };
}

function checkVersion(head: Record<string, unknown>): void {
  const { palimpsest: version } = head;
  if (!Number.isInteger(version) || (version as number) < 1) throw failed("The session names no version.");
  if ((version as number) > EXPORT) throw failed(`The session was exported by a later version of palimpsest (layout ${version as number}, this one knows ${EXPORT}). Use that version.`);
}

/** What can be saved, put in order by the core as a store's rows are. */
async function mended(head: Record<string, unknown>, found: Parsed["nodes"], skipped: ImportReport["skipped"]): Promise<{ conversation: Exported; faults: string[]; reattached: number }> {
  const kept: Head = headIn(head, skipped);
  const { id, agent } = head;
  const named = { id: typeof id === "string" && id !== "" ? id : newId(), agent: typeof agent === "string" ? agent : AGENT };
  const state = new State({ store: memoryStore(), ...named, format: kept.format }, {});
  try {
    const shaped = found.filter(({ line, node }) => {
      const fault = nodeFault(node);
      if (fault !== undefined) skipped.push({ line, why: fault });
      return fault === undefined;
    });
    const { nodes, missing } = await joinBlobs(shaped.map(({ node }) => trimmed(node as Node)), async () => undefined);
    if (missing.length > 0) skipped.push({ line: 0, why: `the bytes of ${missing.length} pictures are not in the file` });
    const numbers: number[] = [];
    const read = nodes.filter((node, index) => {
      const number = taken(state, node);
      if (typeof number === "number") numbers.push(number);
      else skipped.push({ line: shaped[index]!.line, why: number });
      return typeof number === "number";
    });
    const { faults, reattached, head: told } = restore(state, read, kept, "import", { numbers });
    return { conversation: { ...named, ...state.head(told), nodes: [...state.nodes.all()].map((node) => node as Node) }, faults, reattached };
  } finally {
    state.free();
  }
}

/** Its number; in words why the format does not read it: such a message cannot be sent. */
function taken(state: State, { id, message }: Node): number | string {
  try {
    return state.core().add(message);
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
    return `the message of node ${shortened(id)} is not read: ${error.message}`;
  }
}

/** A node without what is none of its fields, its ids as the core knows them. */
function trimmed({ id, parent, at, message, meta }: Node): Node {
  return { id: writable(id), parent: parent === null ? null : writable(parent), at, message, ...(meta !== undefined && { meta }) };
}

/** A field at a time: one that is wrong does not cost the others. */
function headIn(head: Record<string, unknown>, skipped: ImportReport["skipped"]): Head {
  const { format } = head;
  if (typeof format !== "string") throw failed("The session names no format of its messages.");
  const blank: Head = { tip: null, records: [], checkpoints: [], format: format as Head["format"], meta: {}, notes: {} };
  const kept: Head = { ...blank };
  for (const key of ["tip", "records", "checkpoints", "meta", "notes", "calibration"] as const) {
    if (head[key] === undefined) continue;
    if (key === "records" && Array.isArray(head[key])) {
      kept.records = (head[key] as Head["records"]).filter((record) => headFaults({ ...blank, records: [record] }).length === 0);
      const lost = head[key].length - kept.records.length;
      if (lost > 0) skipped.push({ line: 1, why: `${lost} of \`records\` are no records` });
      continue;
    }
    const [fault] = headFaults({ ...blank, [key]: head[key] });
    if (fault === undefined) Object.assign(kept, { [key]: head[key] });
    else skipped.push({ line: 1, why: fault });
  }
  return kept;
}

function leaves(nodes: readonly Node[]): number {
  const followed = new Set<NodeId | null>(nodes.map(({ parent }) => parent));
  return nodes.filter(({ id }) => !followed.has(id)).length;
}

function attempt(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function failed(message: string, cause?: unknown): PalimpsestError {
  return new PalimpsestError("import-failed", message, { cause });
}
