/** Checks a change before anything is written, and takes it out of the caller's hands. */
import { ConflictError, OptionError, PalimpsestError, QuotaError, shortened, unknownNode } from "../errors.js";
import { bytesOf, isObject, isTable } from "../json.js";
import { type Blob, isHash, referencesOf } from "./blobs.js";
import { plain } from "./plain.js";
import type { Change, Head, Node, NodeId } from "./store.js";

/** A change that makes sense in itself, copied as JSON says it. What only the store can know is left to be asked of it. */
export interface Checked {
  nodes: Node[];
  head: Head;
  blobs: Blob[];
  /** Hashes that the added nodes refer to. */
  uses: Set<string>;
  /** Nodes that must be stored already, and what they are to this change, for the error: parents, the tip. */
  outside: Map<NodeId, string>;
}

/** @throws {OptionError} for what is not of the shape of the contract; "unknown-node" where a parent stands behind its child. */
export function checkedChange(id: string, agent: string, base: number, change: Change): Checked {
  checkNames(id, agent);
  if (!Number.isSafeInteger(base) || base < 0) throw new OptionError(`A commit is made on a revision, 0 for a new conversation; this is ${String(base)}.`);
  if (!isObject(change) || !Array.isArray(change.nodes)) throw new OptionError("A change has `nodes`, an array.");
  const { nodes: _, blobs: given = [], revision: __, version: ___, ...rest } = change as Change & { revision?: number; version?: number };
  const head = plain(rest, "The head") as Head;
  const fault = headFaults(head)[0];
  if (fault !== undefined) throw new OptionError(`In a change ${fault}.`);

  const ids = new Set<NodeId>();
  const outside = new Map<NodeId, string>();
  const uses = new Set<string>();
  const nodes = change.nodes.map((node) => {
    const copy = plain(node, nodeName(node)) as Node;
    const fault = nodeFault(copy);
    if (fault !== undefined) throw new OptionError(`In a change ${fault}.`);
    if (ids.has(copy.id)) throw new OptionError(`A change has two nodes of one id: ${shortened(copy.id)}.`);
    if (copy.parent === copy.id) throw unknownNode(copy.id, "The parent of itself");
    if (copy.parent !== null && !ids.has(copy.parent)) outside.set(copy.parent, "The parent of a node");
    ids.add(copy.id);
    referencesOf(copy, uses);
    return copy;
  });
  // One that stands further behind in the same change is no better than one that is nowhere: so no path ever has a cycle.
  for (const [parent, what] of outside) if (ids.has(parent)) throw unknownNode(parent, what);
  if (head.tip !== null && !ids.has(head.tip)) outside.set(head.tip, "The tip");
  return { nodes, head, blobs: checkedBlobs(given), uses, outside };
}

/** @throws {OptionError} unless both are strings; any will do. */
export function checkNames(id: string, agent: string): void {
  if (typeof id !== "string" || typeof agent !== "string") throw new OptionError("A conversation and its agent are named by strings.");
}

function checkedBlobs(given: unknown): Blob[] {
  if (!Array.isArray(given)) throw new OptionError("`blobs` of a change is an array.");
  const blobs = new Map<string, Blob>();
  for (const { hash, bytes } of given as Blob[]) {
    const own = bytesOf(bytes);
    if (!isHash(hash) || !own) throw new OptionError("A blob is its bytes and their SHA-256, 64 letters of lower-case hex.");
    // A copy: what is written may be written later, and must be what was hashed.
    if (!blobs.has(hash)) blobs.set(hash, { hash, bytes: new Uint8Array(own) });
  }
  return [...blobs.values()];
}

/** What is wrong with a node, in words that go on after "In a change" or "in the store"; `undefined`: nothing. */
export function nodeFault(node: unknown): string | undefined {
  if (!isObject(node)) return "a node is no object";
  const { id, parent, at, message } = node as Partial<Node>;
  if (typeof id !== "string" || id === "") return "a node has no id";
  if (parent !== null && typeof parent !== "string") return `the parent of node ${shortened(id)} is no id and not null`;
  if (typeof at !== "number") return `node ${shortened(id)} has no time \`at\``;
  if (!isObject(message) || Array.isArray(message)) return `the message of node ${shortened(id)} is no object`;
  return undefined;
}

/** What is wrong with a head; nothing when the list is empty. */
export function headFaults(head: unknown): string[] {
  if (!isObject(head) || Array.isArray(head)) return ["the head is no object"];
  const { tip, records, checkpoints, format, meta, notes, calibration } = head as Partial<Head>;
  const faults: string[] = [];
  const expect = (holds: boolean, fault: string): void => void (holds || faults.push(fault));
  expect(tip === null || typeof tip === "string", "the tip is no id and not null");
  expect(isListOf(records, isRecord), "`records` is no list of records");
  expect(isListOf(checkpoints, ({ label, at }) => typeof label === "string" && typeof at === "string"), "`checkpoints` is no list of labels");
  expect(typeof format === "string", "`format` is no text");
  expect(isTable(meta), "`meta` is no object");
  expect(isTable(notes) && Object.values(notes).every((text) => typeof text === "string"), "`notes` is no object of texts");
  expect(calibration === undefined || isTable(calibration), "`calibration` is no object");
  return faults;
}

/** As far as anything is decided by it. A rung of a later version is one all the same. */
function isRecord({ id, rung, from, to, items = [], shed = 0, lastResultsOnly = false }: Record<string, unknown>): boolean {
  const named = [id, rung, from, to].every((name) => typeof name === "string" && name !== "");
  const whole = Number.isInteger(shed) && (shed as number) >= 0 && (shed as number) < 2 ** 32;
  return named && whole && typeof lastResultsOnly === "boolean" && Array.isArray(items) && items.every((item) => typeof item === "string");
}

function isListOf(value: unknown, holds: (item: Record<string, unknown>) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => isTable(item) && holds(item));
}

function nodeName(node: unknown): string {
  const id = isObject(node) ? (node as Node).id : undefined;
  return typeof id === "string" ? `Node ${shortened(id)}` : "A node";
}

/** The revision that is stored is another than the one the change was made from. */
export function conflict(id: string, base: number, stored: number): ConflictError {
  const now = stored === 0 ? "nothing is stored under this name" : `revision ${stored} is stored`;
  return new ConflictError(`Conversation ${shortened(id)} was changed by another writer: the commit was made from revision ${base}, ${now}. Load it again, unite and commit again.`);
}

/** A node of this id is stored, and nodes do not change. */
export function alreadyStored(id: NodeId): OptionError {
  return new OptionError(`A node of this id is stored already: ${shortened(id)}. A commit holds added nodes only.`);
}

/** Nodes refer to bytes that nobody gave. */
export function noBytes(hash: string): PalimpsestError {
  return new OptionError(`A node refers to bytes that are neither in the change nor stored: ${hash}.`);
}

/** No room: `what` says where. */
export function noRoom(what: string, cause?: unknown): QuotaError {
  return new QuotaError(`${what} Nothing was written; make room and commit again.`, { cause });
}
