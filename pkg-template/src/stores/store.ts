/** What a store is and what it keeps. A database of your own becomes one in a few lines (`docs/stores.md`). */
import type { Calibration, CompactionRecord, Format } from "../types.js";

/** Names a node; random, so that nodes of two writers never clash. */
export type NodeId = string;

/** A message in its place. Nodes only ever get added; none is changed. */
export interface Node<M = any> {
  id: NodeId;
  /** The node it follows; `null` for a root, of which there may be several. */
  parent: NodeId | null;
  /** Milliseconds since 1970. */
  at: number;
  message: M;
  /** Whatever the app keeps with it. */
  meta?: unknown;
}

/** All of a conversation that is not a node: small, and written anew with every commit. */
export interface Head {
  tip: NodeId | null;
  records: CompactionRecord[];
  checkpoints: { label: string; at: NodeId }[];
  format: Format;
  /** Title and whatever the app keeps with the conversation; `list` shows it. */
  meta: Record<string, unknown>;
  /** The model's own notes: text by path. */
  notes: Record<string, string>;
  calibration?: Calibration;
}

/** A conversation as it is stored: nodes in the order in which they were added, so every parent stands before its children. */
export interface Stored extends Head {
  /** Counts commits, from 1. A name that was removed and is used again goes on counting, so no revision ever means two states. */
  revision: number;
  nodes: Node[];
  /** Version of this layout; 1 so far. */
  version: number;
}

/** What a commit writes: `nodes` and `blobs` are what was added, the rest is the head as it now stands. */
export interface Change extends Head {
  /** JSON values only, each parent before its children; bytes and large pictures stand apart (`blobs`), as `splitBlobs` sets them. */
  nodes: Node[];
  /** `hash`: SHA-256 of the bytes, 64 letters of lower-case hex. One that is stored already may be given again. */
  blobs?: { hash: string; bytes: Uint8Array }[];
}

/** The newest part of a path, for conversations too long to be taken into memory whole. */
export interface Part {
  /** Nodes at most. When the first of them has a parent, the rest of the path is still in the store. */
  path: number;
  /** Where the path ends. Default: the tip. */
  to?: NodeId;
}

/** A conversation in a list. */
export interface Listed {
  id: string;
  agent: string;
  tip: NodeId | null;
  /** Nodes, on all branches. */
  messages: number;
  /** Milliseconds since 1970 of the last commit; no two are alike in one store. */
  updatedAt: number;
  meta: Record<string, unknown>;
}

/** Where conversations live. A few lines of your own make any database one. */
export interface Store {
  /** What is stored under this name, `undefined` when nothing is. A store may leave `part` aside and give all of it.
   *  Rejects: CorruptStoreError with what could be saved. */
  load(id: string, agent: string, part?: Part): Promise<Stored | undefined>;
  /** All or nothing; returns the new revision. `base` is the revision the change was made from, 0 for a new conversation.
   *  Rejects: ConflictError when `base` is not the stored revision, QuotaError when there is no room. */
  commit(id: string, agent: string, base: number, change: Change): Promise<number>;
  /** The bytes that were stored apart. A store without it is given messages whole, with bytes written as text. */
  blob?(hash: string): Promise<Uint8Array | undefined>;
  /** Newest first; `before`: only what was last changed before that moment (milliseconds since 1970), for the next page. */
  list(options?: { limit?: number; before?: number }): Promise<Listed[]>;
  /** Removes a conversation, of all agents unless one is named. */
  remove(id: string, agent?: string): Promise<void>;
  /** Tells of commits by anyone, this very object too, after they were made: whoever holds that `revision` has nothing to do. 0: removed.
   *  Returns the function that ends it. */
  subscribe?(listener: (id: string, agent: string, revision?: number) => void): () => void;
}

/** The version of `Stored` that is written. Older ones are brought up to it as they are read (`stored.ts`). */
export const LAYOUT = 1;
