/** What the database holds, and how it came to be so. */
import type { DBSchema, IDBPDatabase, IDBPTransaction } from "../../vendor/idb.js";
import type { Head, Node } from "../store.js";

/** A conversation of one agent. `number` is given by the database and never twice. */
export interface HeadRow {
  number: number;
  id: string;
  agent: string;
  version: number;
  revision: number;
  updatedAt: number;
  /** How many nodes there are, and so the `seq` of the next. */
  messages: number;
  head: Head;
}

export interface Rows extends DBSchema {
  heads: { key: number; value: HeadRow; indexes: { name: [string, string]; updatedAt: number } };
  /** A row a message, in the order in which they were added. */
  nodes: { key: [number, number]; value: { conversation: number; seq: number; node: Node }; indexes: { id: [number, string] } };
  /** Bytes by their hash. */
  blobs: { key: string; value: Uint8Array };
  /** Which conversations use which bytes. */
  uses: { key: [string, number]; value: { hash: string; conversation: number }; indexes: { conversation: number } };
  /** `floor`: the highest revision that was ever removed. */
  facts: { key: string; value: number };
}

export type Migration<R extends DBSchema> = (db: IDBPDatabase<R>, tx: IDBPTransaction<R, any, "versionchange">) => void;

/** One step a version of the database, numbered from 1. Steps are added, never changed. */
export const MIGRATIONS: readonly Migration<Rows>[] = [
  function version1(db) {
    const heads = db.createObjectStore("heads", { keyPath: "number", autoIncrement: true });
    heads.createIndex("name", ["id", "agent"], { unique: true });
    heads.createIndex("updatedAt", "updatedAt");
    const nodes = db.createObjectStore("nodes", { keyPath: ["conversation", "seq"] });
    nodes.createIndex("id", ["conversation", "node.id"], { unique: true });
    db.createObjectStore("blobs");
    const uses = db.createObjectStore("uses", { keyPath: ["hash", "conversation"] });
    uses.createIndex("conversation", "conversation");
    db.createObjectStore("facts");
  },
];

/** All rows of `nodes` that belong to a conversation, from `seq` on. */
export function allOf(conversation: number, seq = 0): IDBKeyRange {
  // An array sorts behind every number.
  return IDBKeyRange.bound([conversation, seq], [conversation, []]);
}
