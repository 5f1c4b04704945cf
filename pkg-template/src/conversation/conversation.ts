/// <reference lib="esnext.disposable" preserve="true" />
/** `Conversation`: what the caller sees of a conversation that stays. */
import { calibrated } from "../calibrate.js";
import { OpenTurnError, OptionError } from "../errors.js";
import { valueAt } from "../edits.js";
import { isObject } from "../json.js";
import type { Node, NodeId, Store } from "../stores/store.js";
import type { Compacted, CompactOptions, Format, Measure, ModelOptions, Report } from "../types.js";
import { ask, type RequestOptions, weigh } from "./ask.js";
import { type Answered, command } from "./commands.js";
import { replyOf, synthesisOf } from "./dialects.js";
import { type ExportKind, exportAs } from "./export.js";
import type { Exported } from "./exported.js";
import { checkId, checkMeta, optionsIn } from "./given.js";
import { duplicate, from, open, type OpenOptions } from "./opening.js";
import { commit, follow } from "./persist.js";
import type { State } from "./state.js";
import { takeOver } from "./sync.js";
import type { TimelineEntry } from "./views.js";

/** A node in an overview of the tree. */
export interface TreeNode {
  id: NodeId;
  parent: NodeId | null;
  role: string;
  /** Its first words, at most 80 letters on one line. */
  preview: string;
  /** How many messages follow it directly. */
  children: number;
  onPath: boolean;
  checkpoints: string[];
  /** Milliseconds since 1970. */
  at: number;
}

/** A call without a result. `at`: the message that makes it. */
export interface OpenCall {
  id: string;
  name: string;
  input: unknown;
  at: NodeId;
}

/** What to send again, or why there is nothing. */
export type Retried = { status: "ready"; body: any } | { status: "nothing-to-retry" } | { status: "nothing-loaded" };

const secret: unique symbol = Symbol("palimpsest");

/**
 * A conversation as a tree. Every message names the one it follows; the conversation names its tip. Branching writes nothing: it moves the tip.
 * Compaction never deletes a message: it lays a record over a path.
 *
 * Messages are the caller's own objects, and are not to be changed after they were given: `update` and `edit` do that.
 */
export class Conversation<M extends object = any> {
  readonly #state: State<M>;
  readonly #unfollow: () => void;
  #closing: Promise<void> | undefined;
  /** Where it stood when it was closed. */
  #tip: NodeId | null | undefined;

  /** Not for callers: `open` and `from` make one. */
  constructor(made: typeof secret, state: State<M>) {
    if (made !== secret) throw new OptionError("A conversation is made by Conversation.open.");
    this.#state = state;
    this.#unfollow = follow(state);
  }

  /**
   * Opens what is stored under `id` and `agent` (default "main"), or begins a new one, for which `format` is needed. The other options are the
   * defaults of every later call. `load`: only the newest part of the path is taken into memory, cut where no result is orphaned; labels on
   * the rest are unknown, and a model is sent nothing of it, the summary of what began there included.
   *
   * Rejects: CorruptStoreError with what could be saved, OptionError, UnsupportedFormatError.
   */
  static async open<M extends object = any>(options: OpenOptions): Promise<Conversation<M>> {
    if (!isObject(options)) throw new OptionError("A conversation is opened with `{ store, id, … }`.");
    return new Conversation<M>(secret, await open<M>(options));
  }

  /** One that was imported, in memory until it is committed. Committed under a name that is in use, it is united with what is there. */
  static async from<M extends object = any>(exported: Exported, options: CompactOptions & { store: Store; id?: string }): Promise<Conversation<M>> {
    return new Conversation<M>(secret, await from<M>(exported, options));
  }

  /** Changes the defaults of later calls; those not named stay. */
  configure(options: CompactOptions): void {
    if (!isObject(options)) throw new OptionError("Options must be an object.");
    this.#state.options = { ...this.#state.options, ...options };
  }

  get id(): string {
    return this.#state.id;
  }

  get agent(): string {
    return this.#state.agent;
  }

  get format(): Format {
    return this.#state.format;
  }

  /** The message the next one follows. */
  get tip(): NodeId | null {
    return this.#tip === undefined ? this.#state.tip() : this.#tip;
  }

  /** Title and whatever the app keeps with it; listed by `Store.list`. Assigned or changed, it is written by the next commit. */
  get meta(): { title?: string; [key: string]: unknown } {
    return this.#state.meta;
  }

  set meta(meta: { title?: string; [key: string]: unknown }) {
    if (!isObject(meta) || Array.isArray(meta)) throw new OptionError("`meta` is an object.");
    this.#state.meta = meta;
    this.#state.watchers.tell();
  }

  /** Adds after the tip (or after `parent`), moves the tip, returns the (last) new id. In memory until `commit`. */
  append(message: M | M[], options?: { parent?: NodeId | null; id?: NodeId; meta?: unknown }): NodeId {
    const { parent, id, meta } = optionsIn(options);
    const messages = Array.isArray(message) ? message : [message];
    if (messages.length === 0) throw new OptionError("There is no message to append.");
    if (id !== undefined && messages.length > 1) throw new OptionError("An `id` is for one message.");
    if (id !== undefined && id !== null) checkId(id);
    if (parent !== undefined && parent !== null) checkId(parent);
    checkMeta(meta);
    return this.#state.append(messages, parent, id, meta).at(-1)!;
  }

  /** A client's whole reply: takes the message out of it and learns from its usage. */
  appendReply(reply: object): NodeId {
    const { message, usage } = replyOf(reply, this.format);
    const id = this.append(message as M);
    if (usage) this.reportUsage(usage);
    return id;
  }

  /** Replaces a message that is not committed yet and that nothing follows (a streaming draft). */
  update(id: NodeId, message: M): void {
    this.#state.update(id, message);
  }

  /** For an app that holds the whole history itself: takes over what is new, branches where it was edited. A last message that only grew since it
   *  was handed over, and is not committed, is the same one: an answer may be handed over while it streams. */
  sync(messages: M[]): { added: number; tip: NodeId | null } {
    if (!Array.isArray(messages)) throw new OptionError("`sync` takes the list of all messages.");
    const added = takeOver(this.#state, messages);
    return { added, tip: this.tip };
  }

  /**
   * Writes everything since the last commit, tip and labels included, in one transaction; unites with what others wrote meanwhile. When it fails
   * nothing was written, and all waits for the next one.
   *
   * Rejects: OpenTurnError while a tool call on the path to the tip has no result, QuotaError, whatever the store says.
   */
  async commit(): Promise<void> {
    await commit(this.#state);
  }

  /** Calls on the path to the tip that have no result yet. */
  openCalls(): OpenCall[] {
    const calls = this.#state.call<{ id: string; name: string; at: NodeId; input: [number, ...(string | number)[]] }[]>("openCalls");
    return calls.map(({ id, name, at, input: [, ...path] }) => ({ id, name, at, input: valueAt(this.#state.nodes.get(at)?.message, path) }));
  }

  /** The path from a root to the tip: what a person sees. The same array until something changes. */
  readonly messages = (): Node<M>[] => this.#state.views.path();

  /** The same with compaction markers in their places. The same array until something changes. */
  readonly timeline = (): TimelineEntry<M>[] => this.#state.views.timeline();

  /** Calls `listener` after every change, also by another writer. Returns the function that ends it. */
  readonly subscribe = (listener: () => void): (() => void) => {
    if (typeof listener !== "function") throw new OptionError("A listener is a function.");
    return this.#state.watchers.add(listener);
  };

  get(id: NodeId): Node<M> | undefined {
    return this.#state.nodes.get(id);
  }

  /**
   * What the model is sent: the path with its records applied, compacted when due; what was done is laid over the path. Messages that nothing
   * touches are the objects that were appended. An open call is answered as interrupted in what is sent, never in what is kept.
   *
   * Rejects: as `compact`; UnsupportedFormatError for `to` another format.
   */
  async request<B extends object = any>(options?: RequestOptions): Promise<Compacted<B>> {
    const sent = await ask<B>(this.#state, options);
    this.#state.report = sent.report;
    return sent;
  }

  /** What fills the window with what would be sent now. Lays nothing. */
  async measure(options?: ModelOptions): Promise<Measure> {
    return weigh(this.#state, options);
  }

  /** As `request`, for the report alone. `force` acts whatever the fill. While a summary is written the conversation goes on: messages are appended
   *  and committed, and what was decided is laid only where its range is still there. Another request goes ahead where nothing is due for it, else
   *  it waits, until its own signal. */
  async compact(options?: CompactOptions): Promise<Report> {
    return (await ask(this.#state, options)).report;
  }

  /** Takes a record off again. */
  uncompact(record: string): void {
    this.#state.call("uncompact", { record });
    this.#state.records.delete(record);
    this.#state.changed();
  }

  /** Moves the tip; `null`: to before the first message. */
  branch(at: NodeId | null): void {
    if (at !== null) checkId(at);
    this.#state.call("branch", at === null ? {} : { at });
    this.#state.changed();
  }

  /** Adds a sibling in the place of `at` and moves the tip there. */
  edit(at: NodeId, message: M): NodeId {
    return this.#state.edit(at, message);
  }

  /** Moves the tip to the newest leaf below `at`: what `‹ 2/3 ›` does. */
  select(at: NodeId): void {
    this.#state.call("select", { at });
    this.#state.changed();
  }

  children(at: NodeId | null): NodeId[] {
    return this.#state.call("children", at === null ? {} : { at });
  }

  siblings(at: NodeId): { ids: NodeId[]; index: number } {
    return this.#state.call("siblings", { at });
  }

  tree(): TreeNode[] {
    return this.#state.call("tree");
  }

  /** Copies the path to `at` (default: the tip) into a new conversation with new ids, committed at once. Rejects: OpenTurnError, ConflictError for a name in use. */
  async duplicate(options: { id: string; at?: NodeId; store?: Store }): Promise<Conversation<M>> {
    const copy = await duplicate(this.#state, options);
    try {
      await commit(copy, true);
    } catch (error) {
      copy.free();
      throw error;
    }
    return new Conversation<M>(secret, copy);
  }

  /** Puts a label on the tip. One that is used again moves. */
  checkpoint(label: string): void {
    this.#state.call("checkpoint", { label });
    this.#state.watchers.tell();
  }

  checkpoints(): { label: string; at: NodeId }[] {
    return this.#state.call("checkpoints");
  }

  /** Goes back to a label, keeping `synthesis` as a message there: the system's where the format has such, else a user's, marked. Returns the new tip.
   *  @throws {UnknownCheckpointError} also when its message is not loaded. */
  rewind(label: string, options?: { synthesis?: string }): NodeId {
    const { synthesis } = optionsIn(options);
    if (synthesis !== undefined && (typeof synthesis !== "string" || synthesis.trim() === "")) throw new OptionError("A `synthesis` is a text.");
    const tip = this.#state.call<NodeId>("rewind", { label });
    if (synthesis === undefined) {
      this.#state.changed();
      return tip;
    }
    this.#state.views.changed();
    return this.append(synthesisOf(synthesis, this.format) as M);
  }

  /** The failed turn's request again; the next answer becomes a sibling of what failed. "nothing-loaded": there is no history under this name. */
  async retry(): Promise<Retried> {
    const told = this.#state.call<{ status: Retried["status"]; at?: NodeId }>("retry");
    if (told.status !== "ready" || told.at === undefined) return { status: told.status } as Retried;
    if (told.at !== this.tip) this.branch(told.at);
    return { status: "ready", body: (await this.request()).body };
  }

  /** What the provider charged for the newest request (its usage object as it came, or input tokens, cached ones included); sharpens later estimates. */
  reportUsage(usage: number | object): void {
    const { report, calibration } = this.#state;
    if (report) this.#state.calibration = calibrated(calibration, report, usage);
  }

  /** "/compact focus", "/shake", "/context", "/tree", "/help": the words a person types. Others are answered with the list of commands. */
  async command(line: string): Promise<Answered> {
    return command(this.#state, line);
  }

  /** All branches, but for "markdown", which shows the path to the tip. "json" is read back by `importSession` without loss. */
  export(kind: ExportKind): string {
    return exportAs(this.#state, kind);
  }

  /** Commits what is whole, drops an unfinished turn, frees memory. What was shown can still be read. When the commit fails it stays open. */
  close(): Promise<void> {
    return (this.#closing ??= this.#close().catch((error: unknown) => {
      this.#closing = undefined;
      throw error;
    }));
  }

  async #close(): Promise<void> {
    const state = this.#state;
    // What is whole is safe before anything is waited for: a model that writes a summary may take long.
    await commit(state).catch((error: unknown) => {
      if (!(error instanceof OpenTurnError)) throw error;
    });
    // While the last of it is written somebody may say more, or ask. An unfinished turn on another branch stays unwritten: what is
    // told counts, not what is left to write.
    let more = false;
    const end = state.watchers.add(() => (more = true));
    try {
      do {
        await state.requests.idle();
        const { messages } = state.call<{ messages: number[] }>("takeBack");
        for (const number of messages) state.nodes.remove(number);
        if (messages.length > 0) state.changed();
        more = false;
        await commit(state);
        await state.commits.idle();
      } while (more || state.requests.isTaken());
    } finally {
      end();
    }
    this.#unfollow();
    state.views.timeline();
    state.views.path();
    this.#tip = state.tip();
    state.free();
    state.watchers.clear();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
