/** What a conversation is made of. The functions beside this one work on it; the class is what the caller sees. */
import { OptionError, shortened, UnsupportedFormatError } from "../errors.js";
import { isObject } from "../json.js";
import type { Head, Node, NodeId, Store } from "../stores/store.js";
import type { Calibration, CompactOptions, Format, Report } from "../types.js";
import { Core } from "./core.js";
import { newId } from "./ids.js";
import { Nodes } from "./nodes.js";
import { Queue } from "./queue.js";
import { Records } from "./records.js";
import { Views } from "./views.js";
import { Watchers } from "./watchers.js";
import { Writing } from "./writing.js";

/** Name, place and form of a conversation. */
export interface Named {
  store: Store;
  id: string;
  agent: string;
  format: Format;
}

/** The head as it crosses to the core and back. */
export interface HeadTold {
  tip: NodeId | null;
  records: string[];
  checkpoints: { label: string; at: NodeId }[];
}

/** Questions whose answer no message's words change. */
const WORDLESS = new Set(["tip", "path", "timeline", "children", "siblings", "checkpoints", "laid", "changed"]);

export class State<M extends object = any> {
  readonly store: Store;
  readonly id: string;
  readonly agent: string;
  readonly format: Format;
  readonly nodes = new Nodes<M>();
  readonly records = new Records();
  readonly watchers = new Watchers();
  /** Requests, one at a time. */
  readonly requests = new Queue();
  readonly writing = new Writing();
  /** Commits, and what others committed. */
  readonly commits = new Queue();
  readonly views: Views<M>;

  options: CompactOptions;
  meta: Record<string, unknown> = {};
  notes: Record<string, string> = {};
  calibration: Calibration | undefined;
  /** What the store says of them. */
  saved = "";
  /** Of the store; 0 when nothing is there. */
  revision = 0;
  /** When only a part of what is stored is in memory: messages that stayed there, and that something in memory follows or may follow. */
  beyond: Set<NodeId> | undefined;
  /** Of the newest request. */
  report: Report | undefined;

  readonly #core: Core;
  /** A message that was replaced and has not crossed yet: a draft that streams crosses once it matters. */
  #draft: { id: NodeId; number: number; waits: boolean } | undefined;

  constructor({ store, id, agent, format }: Named, options: CompactOptions) {
    this.store = store;
    this.id = id;
    this.agent = agent;
    this.format = format;
    this.options = options;
    this.#core = new Core(format);
    this.views = new Views(<T>(op: string) => this.call<T>(op), this.nodes, this.records);
  }

  /** The core, after it was told of everything. */
  core(): Core {
    const draft = this.#draft;
    if (draft?.waits) {
      const node = this.nodes.at(draft.number);
      const number = this.#draftCrosses(node);
      this.#core.call("update", { id: draft.id, message: number });
      this.nodes.set(number, node);
    }
    this.#draft = undefined;
    return this.#core;
  }

  /** A draft that cannot be read goes on waiting: nothing is done with it, or after it, until another takes its place. */
  #draftCrosses({ id, message }: Node<M>): number {
    try {
      return this.#core.add(message);
    } catch (cause) {
      if (!(cause instanceof OptionError)) throw cause;
      throw new OptionError(`The draft ${shortened(id)} cannot be read: update it with another. ${cause.message}`, { cause });
    }
  }

  call<T = unknown>(op: string, asked?: object): T {
    return (WORDLESS.has(op) ? this.#core : this.core()).call<T>(op, asked);
  }

  tip(): NodeId | null {
    return this.call<NodeId | null>("tip");
  }

  /** Something is to be shown anew. */
  changed(): void {
    this.views.changed();
    this.watchers.tell();
  }

  /** Adds messages one after the other. All are looked at before the first is added. */
  append(messages: readonly M[], parent?: NodeId | null, id?: NodeId, meta?: unknown): NodeId[] {
    const core = this.core();
    const numbers = messages.map((message) => core.add(message));
    const tip = this.tip();
    let follows = parent === undefined ? tip : parent;
    const nodes = messages.map((message, index): Node<M> => {
      const node = { id: id ?? newId(), parent: follows, at: Date.now(), message, ...(meta !== undefined && { meta }) };
      this.#grow("append", numbers[index]!, node, follows === null ? { root: true } : { parent: follows });
      follows = node.id;
      return node;
    });
    if (parent !== undefined && parent !== tip) this.views.changed();
    else for (const node of nodes) this.views.appended(node, node.parent !== null && this.records.endsAt(node.parent));
    if (nodes.length > 0) this.watchers.tell();
    return nodes.map((node) => node.id);
  }

  edit(of: NodeId, message: M): NodeId {
    const number = this.core().add(message);
    const node = { id: newId(), parent: this.nodes.get(of)?.parent ?? null, at: Date.now(), message };
    this.#grow("edit", number, node, { of });
    this.changed();
    return node.id;
  }

  #grow(op: "append" | "edit", message: number, node: Node<M>, place: object): void {
    this.#core.call(op, { ...place, id: node.id, at: node.at, message });
    this.nodes.set(message, node);
    this.nodes.pending.add(node.id);
  }

  /** Replaces a message that is not committed. */
  update(id: NodeId, message: M): void {
    const draft = this.#draft;
    let number = draft?.number;
    if (draft?.id !== id || number === undefined) {
      number = this.core().add(message);
      this.#core.call("update", { id, message: number });
      this.#draft = { id, number, waits: false };
    } else {
      if (!isObject(message) || typeof (message as { role?: unknown }).role !== "string") throw new UnsupportedFormatError("A message is an object with a `role`.");
      draft.waits = true;
    }
    const node: Node<M> = { ...this.nodes.get(id)!, message };
    this.nodes.set(number, node);
    this.views.replaced(node);
    this.watchers.tell();
  }

  /** What the head says beside the tree, as text: whether it must be written is told by comparing. */
  headText(): string {
    try {
      return JSON.stringify([this.meta, this.notes, this.calibration]);
    } catch (cause) {
      const words = cause instanceof Error ? cause.message : String(cause);
      throw new OptionError(`The \`meta\` of the conversation cannot be stored: ${words}`, { cause });
    }
  }

  head(told: HeadTold): Head {
    const { format, meta, notes, calibration } = this;
    return { tip: told.tip, records: this.records.of(told.records), checkpoints: told.checkpoints, format, meta, notes, ...(calibration && { calibration }) };
  }

  /** Frees the core; what is shown stays. */
  free(): void {
    this.#core.free();
  }
}
