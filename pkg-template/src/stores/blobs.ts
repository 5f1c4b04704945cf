/**
 * Bytes kept apart from messages, once each, by their SHA-256. In the message a reference stands in their place:
 *
 * | reference | stands for |
 * | --- | --- |
 * | `{ "palimpsest:blob": hash, as: "base64", before }` | the text `before` + base64 of the bytes: a picture's data, a data URL |
 * | `{ "palimpsest:blob": hash, as: "Uint8Array" }` | bytes of that class |
 * | `{ "palimpsest:blob": "inline", as, base64 }` | the same, kept in place: where there is nowhere else to keep them |
 * | `{ "palimpsest:blob": "itself", value }` | `value`, a message's own object that would have looked like a reference |
 */
import { CorruptStoreError, OptionError } from "../errors.js";
import { bytesOf, isObject, put, shown } from "../json.js";
import { base64, bytesIn } from "./base64.js";
import type { Change, Node, Store, Stored } from "./store.js";

const KEY = "palimpsest:blob";

/** Letters of base64 from which on a text is kept apart. Below, a row of its own would cost more than it saves. */
const LEAST = 8_192;

/** Nesting of a message that is accepted, as everywhere in the package. */
const DEEPEST = 512;

/** What stands before the data of a data URL. */
const DATA_URL = /^data:[^,]{0,500};base64,/;

export interface Blob {
  hash: string;
  bytes: Uint8Array;
}

/**
 * Sets bytes and large base64 apart from nodes; what it does not touch are the caller's own objects. Do it before the transaction: hashing
 * is asynchronous. `inline`: keep bytes in place, as base64, for a store that has nowhere else. The same is done in a page that was not
 * served over https, where there is nothing to hash with.
 * @throws {OptionError} for a message nested deeper than 512.
 */
export async function splitBlobs(nodes: readonly Node[], options: { inline?: boolean } = {}): Promise<{ nodes: Node[]; blobs: Blob[] }> {
  const subtle = options.inline ? undefined : globalThis.crypto?.subtle;
  const found: Found[] = [];
  const walk = new Split(found, subtle === undefined);
  const apart = nodes.map((node) => walk.node(node));
  const blobs = new Map<string, Blob>();
  for (const { bytes, reference } of found) {
    const hash = hex(await subtle!.digest("SHA-256", bytes));
    reference[KEY] = hash;
    blobs.set(hash, { hash, bytes });
  }
  return { nodes: apart, blobs: [...blobs.values()] };
}

/** The same with all bytes in place as base64, at once: nothing is hashed. For a file that stands for itself. */
export function inlineBlobs(nodes: readonly Node[]): Node[] {
  const walk = new Split([], true);
  return nodes.map((node) => walk.node(node));
}

/**
 * Puts back what `splitBlobs` set apart; nodes without references are the very objects given. `load` is asked once for each hash.
 * `missing`: hashes it had no bytes for; their references stay.
 */
export async function joinBlobs(nodes: readonly Node[], load: (hash: string) => Promise<Uint8Array | undefined>): Promise<{ nodes: Node[]; missing: string[] }> {
  const hashes = new Set<string>();
  const marked = nodes.map((node) => referencesOf(node, hashes));
  const bytes = new Map<string, Uint8Array>();
  const wanted = [...hashes];
  // Some at a time: a store may open a transaction, or a file, for each.
  for (let at = 0; at < wanted.length; at += 32) {
    await Promise.all(
      wanted.slice(at, at + 32).map(async (hash) => {
        const blob = await load(hash);
        if (blob instanceof Uint8Array) bytes.set(hash, blob);
      }),
    );
  }
  const join = new Join(bytes);
  return { nodes: nodes.map((node, index) => (marked[index] ? join.node(node) : node)), missing: wanted.filter((hash) => !bytes.has(hash)) };
}

/** Adds the hashes that a node refers to; whether there is anything for `joinBlobs` to do. */
export function referencesOf(node: Node, hashes: Set<string>): boolean {
  const inMessage = references(node.message, hashes);
  return references(node.meta, hashes) || inMessage;
}

function references(value: unknown, hashes: Set<string>): boolean {
  if (!isObject(value)) return false;
  if (Array.isArray(value)) {
    let any = false;
    for (const item of value) if (references(item, hashes)) any = true;
    return any;
  }
  const reference = referenceIn(value);
  if (reference?.kind === "hash") hashes.add(reference.hash);
  if (reference?.kind === "itself") references(Object.values(reference.value), hashes);
  if (reference) return true;
  return references(Object.values(value), hashes);
}

/** A change as this store wants it: bytes apart, or in place where it keeps no blobs. */
export async function outgoing(store: Store, change: Change): Promise<Change> {
  const { nodes, blobs } = await splitBlobs(change.nodes, { inline: store.blob === undefined });
  return { ...change, nodes, blobs: [...(change.blobs ?? []), ...blobs] };
}

/** What was loaded, with its bytes put back. Rejects: CorruptStoreError when bytes are gone; in what was saved their references stand. */
export async function incoming(store: Store, stored: Stored): Promise<Stored> {
  const { nodes, missing } = await joinBlobs(stored.nodes, async (hash) => store.blob?.(hash));
  const whole = { ...stored, nodes };
  if (missing.length === 0) return whole;
  const what = missing.length === 1 ? "a picture" : `${missing.length} pictures`;
  throw new CorruptStoreError(`The store has lost the bytes of ${what} (${missing[0]}). The words are all there: see \`saved\`.`, whole);
}

const VIEWS = { Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array, DataView };
type Kind = keyof typeof VIEWS | "ArrayBuffer";

interface Found {
  bytes: Uint8Array<ArrayBuffer>;
  /** Gets its hash once that is known. */
  reference: Record<string, unknown>;
}

/** Copies along the paths that lead to something that is set apart. */
class Split {
  constructor(
    readonly found: Found[],
    readonly inline: boolean,
  ) {}

  node(node: Node): Node {
    const message: unknown = this.#value(node.message, "message", 0);
    const meta = this.#value(node.meta, "meta", 0);
    if (message === node.message && meta === node.meta) return node;
    return { ...node, message, ...(meta !== undefined && { meta }) };
  }

  #value(given: unknown, key: string | number, depth: number): unknown {
    if (typeof given === "string") return this.#text(given);
    if (!isObject(given)) return given;
    if (depth >= DEEPEST) throw new OptionError(`A message is nested deeper than ${DEEPEST}.`);
    const value = shown(given, key);
    if (!isObject(value)) return value;
    const bytes = bytesOf(value);
    if (bytes) return this.#reference(new Uint8Array(bytes), kindOf(value));
    let copy: object | undefined;
    for (const name of Object.keys(value)) {
      const part: unknown = (value as Record<string, unknown>)[name];
      const other = this.#value(part, name, depth + 1);
      if (other === part) continue;
      copy ??= Array.isArray(value) ? value.slice() : { ...value };
      put(copy, name, other);
    }
    if (Array.isArray(value) || !Object.hasOwn(value, KEY)) return copy ?? value;
    return { [KEY]: "itself", value: copy ?? value };
  }

  #text(text: string): unknown {
    if (this.inline || text.length < LEAST) return text;
    const before = text.startsWith("data:") ? (DATA_URL.exec(text)?.[0] ?? "") : "";
    const bytes = bytesIn(text, before.length);
    return bytes ? this.#reference(bytes, "base64", before) : text;
  }

  #reference(bytes: Uint8Array<ArrayBuffer>, as: Kind | "base64", before?: string): object {
    if (this.inline) return { [KEY]: "inline", as, base64: base64(bytes) };
    const reference = { [KEY]: "", as, ...(before !== undefined && { before }) };
    this.found.push({ bytes, reference });
    return reference;
  }
}

/** Builds anew whatever holds a reference. */
class Join {
  /** One string for each picture, however often it is shown. */
  readonly #texts = new Map<string, string>();

  constructor(readonly bytes: ReadonlyMap<string, Uint8Array>) {}

  node(node: Node): Node {
    return { ...node, message: this.#value(node.message), ...(node.meta !== undefined && { meta: this.#value(node.meta) }) };
  }

  #value(value: unknown): unknown {
    if (!isObject(value)) return value;
    if (Array.isArray(value)) return value.map((item) => this.#value(item));
    const reference = referenceIn(value);
    switch (reference?.kind) {
      case "itself":
        return this.#object(reference.value);
      case "inline":
        return viewOf(reference.bytes, reference.as);
      case "hash": {
        const bytes = this.bytes.get(reference.hash);
        if (!bytes) return value;
        return reference.as === "base64" ? this.#text(reference.hash, reference.before, bytes) : viewOf(new Uint8Array(bytes), reference.as);
      }
      default:
        return this.#object(value);
    }
  }

  #object(value: object): object {
    const object = {};
    for (const [name, part] of Object.entries(value)) put(object, name, this.#value(part));
    return object;
  }

  #text(hash: string, before: string, bytes: Uint8Array): string {
    const key = hash + before;
    const text = this.#texts.get(key) ?? before + base64(bytes);
    this.#texts.set(key, text);
    return text;
  }
}

type Reference =
  | { kind: "hash"; hash: string; as: Kind; before: "" }
  | { kind: "hash"; hash: string; as: "base64"; before: string }
  | { kind: "inline"; bytes: Uint8Array<ArrayBuffer>; as: Kind }
  | { kind: "itself"; value: object };

/** What an object refers to. One that is not exactly as it is written above is no reference: what is stored is not to be trusted. */
function referenceIn(object: object): Reference | undefined {
  if (!Object.hasOwn(object, KEY)) return undefined;
  const { [KEY]: what, as, before, base64: text, value } = object as Record<string, unknown>;
  if (what === "itself") return isObject(value) && !Array.isArray(value) ? { kind: "itself", value } : undefined;
  if (what === "inline") {
    const bytes = typeof text === "string" ? (text === "" ? new Uint8Array() : bytesIn(text, 0)) : undefined;
    return bytes && isKind(as) && fits(bytes, as) ? { kind: "inline", bytes, as } : undefined;
  }
  if (!isHash(what)) return undefined;
  if (as === "base64") return typeof before === "string" ? { kind: "hash", hash: what, as, before } : undefined;
  return isKind(as) ? { kind: "hash", hash: what, as, before: "" } : undefined;
}

/** Whether this is a SHA-256 in hex. */
export function isHash(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

function isKind(value: unknown): value is Kind {
  return value === "ArrayBuffer" || (typeof value === "string" && Object.hasOwn(VIEWS, value));
}

/** A Buffer is a Uint8Array here: what comes back is the same anywhere. */
function kindOf(value: object): Kind {
  const name = Object.prototype.toString.call(value).slice(8, -1);
  return isKind(name) ? name : "Uint8Array";
}

const elementSize = (as: Kind): number => (as === "ArrayBuffer" || as === "DataView" ? 1 : VIEWS[as].BYTES_PER_ELEMENT);
const fits = (bytes: Uint8Array, as: Kind): boolean => bytes.length % elementSize(as) === 0;

/** `bytes` must own its buffer. Bytes that do not make up whole elements of the class stay bytes. */
function viewOf(bytes: Uint8Array, as: Kind): unknown {
  const { buffer } = bytes;
  if (as === "ArrayBuffer") return buffer;
  const View = VIEWS[as] as new (buffer: ArrayBufferLike) => object;
  return fits(bytes, as) ? new View(buffer) : bytes;
}

function hex(buffer: ArrayBuffer): string {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
