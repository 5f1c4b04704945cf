/** Reading nodes: all of a conversation, or the newest of a path. */
import { unknownNode } from "../../errors.js";
import type { Node, Part } from "../store.js";
import { allOf, type HeadRow } from "./rows.js";
import type { Transaction } from "./transaction.js";

type Reading = Transaction<"readonly">;

/** Rows that are asked for at once: few enough that a browser need not hold two copies of a long conversation. */
const BATCH = 4_000;

/** Rows that are looked through at once when a path is followed back. */
const STRIDE = 128;

export async function readAll(tx: Reading, { number }: HeadRow): Promise<unknown[]> {
  const store = tx.objectStore("nodes");
  const nodes: unknown[] = [];
  for (let seq = 0; ; ) {
    const rows = await store.getAll(allOf(number, seq), BATCH);
    for (const row of rows) nodes.push(row.node);
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return nodes;
    seq = last.seq + 1;
  }
}

/** The newest nodes of a path, oldest first: most of it lies row beside row, so it is read in strides; a branch costs one look-up. */
export async function readPath(tx: Reading, { number, head }: HeadRow, { path: most, to }: Part): Promise<unknown[]> {
  const store = tx.objectStore("nodes");
  const path: Node[] = [];
  for (let id = to ?? head?.tip; typeof id === "string" && path.length < most; ) {
    const key = await store.index("id").getKey([number, id]);
    if (key === undefined) {
      if (id === to) throw unknownNode(id, "The end of the path");
      break; // gone: what was read says so
    }
    const [, seq] = key;
    const rows = await store.getAll(IDBKeyRange.bound([number, Math.max(0, seq - STRIDE + 1)], [number, seq]));
    for (let row = rows.pop(); row && path.length < most; row = rows.pop()) {
      if (row.node.id !== id) continue;
      path.push(row.node);
      id = row.node.parent;
    }
  }
  return path.reverse();
}
