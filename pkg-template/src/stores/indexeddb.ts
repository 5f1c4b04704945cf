/** "palimpsest/indexeddb": conversations in the browser, a row a message; two tabs never lose one another's words. */
import { QuotaError, unknownNode } from "../errors.js";
import type { StoreNames } from "../vendor/idb.js";
import type { Blob } from "./blobs.js";
import { alreadyStored, checkedChange, type Checked, checkNames, conflict, noBytes } from "./change.js";
import { Channel } from "./indexeddb/channel.js";
import { Connection } from "./indexeddb/connection.js";
import { readAll, readPath } from "./indexeddb/read.js";
import { allOf, type HeadRow, MIGRATIONS, type Rows } from "./indexeddb/rows.js";
import { type Transaction, within } from "./indexeddb/transaction.js";
import { checkPart, listOptions, momentAfter, shownOf } from "./listing.js";
import { LAYOUT, type Listed, type NodeId, type Store } from "./store.js";
import { storedOf } from "./stored.js";

export type { Change, Head, Listed, Node, NodeId, Part, Store, Stored } from "./store.js";

const ALL: StoreNames<Rows>[] = ["heads", "nodes", "blobs", "uses", "facts"];

/**
 * A store in IndexedDB. `name`: the database's; two stores of one name are one store. Nothing is opened before the first call.
 * A commit is on disk when it resolves (`strict` durability). Browsers may still throw away what a site keeps when the disk is full: offer
 * people `navigator.storage.persist()`. What `remove` frees counts as free once the browser has tidied its files, not at once.
 */
export function indexedDBStore(name = "palimpsest"): Store {
  const connection = new Connection<Rows>(name, MIGRATIONS);
  const channel = new Channel(`palimpsest:${name}`);
  /** A floor that found no room when a conversation was removed; the next commit writes it. */
  let owed = 0;

  return {
    async load(id, agent, part) {
      checkNames(id, agent);
      checkPart(part);
      const found = await connection.run((db) =>
        within(db, ["heads", "nodes"], "readonly", async (tx) => {
          const row = await tx.objectStore("heads").index("name").get([id, agent]);
          return row && { row, nodes: part ? await readPath(tx, row, part) : await readAll(tx, row) };
        }),
      );
      if (!found) return undefined;
      const { version, revision, head } = found.row;
      return storedOf({ id, version, revision, head, nodes: found.nodes, lost: [], part: part !== undefined });
    },

    async commit(id, agent, base, change) {
      const checked = checkedChange(id, agent, base, change);
      let again: NodeId | undefined;
      const debt = owed;
      const writing = connection.run((db) =>
        within(db, ALL, "readwrite", async (tx) => {
          const heads = tx.objectStore("heads");
          const [row, newest] = await Promise.all([heads.index("name").get([id, agent]), heads.index("updatedAt").openKeyCursor(null, "prev")]);
          if ((row?.revision ?? 0) !== base) throw conflict(id, base, row?.revision ?? 0);
          const missing = await validated(tx, row, checked);
          if (debt > 0) await raiseFloor(tx, debt);
          const next: Omit<HeadRow, "number"> = {
            id,
            agent,
            version: LAYOUT,
            revision: row ? base + 1 : ((await tx.objectStore("facts").get("floor")) ?? 0) + 1,
            updatedAt: momentAfter(newest?.key ?? 0),
            messages: (row?.messages ?? 0) + checked.nodes.length,
            head: checked.head,
          };
          const number = row ? row.number : await heads.add(next as HeadRow);
          if (row) heads.put({ ...next, number }).catch(() => {});
          write(tx, { ...next, number }, checked, missing, (id) => (again ??= id));
          return next.revision;
        }),
      );
      const revision = await writing.catch((error) => {
        throw again === undefined ? error : alreadyStored(again);
      });
      if (owed === debt) owed = 0;
      channel.tell(id, agent, revision);
      return revision;
    },

    async blob(hash) {
      return connection.run(async (db) => (await db.get("blobs", String(hash))) as Uint8Array | undefined);
    },

    async list(options) {
      const { limit, before } = listOptions(options);
      return connection.run((db) =>
        within(db, ["heads"], "readonly", async (tx) => {
          const entries: Listed[] = [];
          const range = before === Infinity ? null : IDBKeyRange.upperBound(before, true);
          let cursor = limit > 0 ? await tx.objectStore("heads").index("updatedAt").openCursor(range, "prev") : null;
          for (; cursor && entries.length < limit; cursor = await cursor.continue()) {
            const { id, agent, head, messages, updatedAt } = cursor.value;
            entries.push({ id, agent, messages, updatedAt, ...shownOf(head) });
          }
          return entries;
        }),
      );
    },

    async remove(id, agent) {
      checkNames(id, agent ?? "");
      const erase = (floor: boolean): Promise<HeadRow[]> =>
        connection.run((db) =>
          within(db, ALL, "readwrite", async (tx) => {
            const range = agent === undefined ? IDBKeyRange.bound([id], [id, []]) : IDBKeyRange.only([id, agent]);
            const rows = await tx.objectStore("heads").index("name").getAll(range);
            for (const row of rows) await eraseRows(tx, row);
            if (floor) await raiseFloor(tx, highestOf(rows));
            return rows;
          }),
        );
      const removed = await erase(true).catch(async (error) => {
        if (!(error instanceof QuotaError)) throw error;
        // Where there is no room the browser refuses whatever writes at all, also what makes room. Taking away alone it allows.
        const rows = await erase(false);
        const highest = highestOf(rows);
        await connection.run((db) => within(db, ["facts"], "readwrite", (tx) => raiseFloor(tx, highest))).catch((refused) => {
          // On a disk the browser sees what became free only once it has tidied its files. What was removed is gone all the same.
          if (!(refused instanceof QuotaError)) throw refused;
          owed = Math.max(owed, highest);
        });
        return rows;
      });
      for (const row of removed) channel.tell(id, row.agent, 0);
    },

    subscribe: (listener) => channel.subscribe(listener),
  };
}

type Writing = Transaction<"readwrite">;

/** Asks the store what only it can know, all at once. Blobs that have still to be written. */
async function validated(tx: Writing, row: HeadRow | undefined, { outside, blobs, uses }: Checked): Promise<Blob[]> {
  const ids = tx.objectStore("nodes").index("id");
  const stored = async (id: string): Promise<boolean> => row !== undefined && (await ids.getKey([row.number, id])) !== undefined;
  const kept = async (hash: string): Promise<boolean> => (await tx.objectStore("blobs").getKey(hash)) !== undefined;

  const given = new Set(blobs.map(({ hash }) => hash));
  const strangers = [...uses].filter((hash) => !given.has(hash));
  const [known, present, others] = await Promise.all([
    Promise.all([...outside.keys()].map(stored)),
    Promise.all(blobs.map(({ hash }) => kept(hash))),
    Promise.all(strangers.map(kept)),
  ]);
  [...outside].forEach(([id, what], index) => {
    if (!known[index]) throw unknownNode(id, what);
  });
  const lost = strangers.find((_, index) => !others[index]);
  if (lost !== undefined) throw noBytes(lost);
  return blobs.filter((_, index) => !present[index]);
}

/** Whatever fails here ends the transaction and is its error, so nothing is awaited. `clash` is told of a node that is there already. */
function write(tx: Writing, row: HeadRow, { nodes, blobs, uses }: Checked, missing: readonly Blob[], clash: (id: NodeId) => void): void {
  const ignore = (): void => {};
  const { number: conversation } = row;
  let seq = row.messages - nodes.length;
  const store = tx.objectStore("nodes");
  for (const node of nodes) {
    // That its id is new is for the index to find out: asking beforehand would be a request more for each.
    store.add({ conversation, seq: seq++, node }).catch((error: Error) => error.name === "ConstraintError" && clash(node.id));
  }
  for (const { hash, bytes } of missing) tx.objectStore("blobs").add(bytes, hash).catch(ignore);
  for (const hash of new Set([...uses, ...blobs.map(({ hash }) => hash)])) tx.objectStore("uses").put({ hash, conversation }).catch(ignore);
}

/** A conversation, and the bytes that no other uses. */
async function eraseRows(tx: Writing, { number }: HeadRow): Promise<void> {
  const uses = tx.objectStore("uses");
  for (const key of await uses.index("conversation").getAllKeys(number)) {
    await uses.delete(key);
    const [hash] = key;
    if ((await uses.getKey(IDBKeyRange.bound([hash], [hash, []]))) === undefined) await tx.objectStore("blobs").delete(hash);
  }
  await tx.objectStore("nodes").delete(allOf(number));
  await tx.objectStore("heads").delete(number);
}

async function raiseFloor(tx: Writing, revision: number): Promise<void> {
  const facts = tx.objectStore("facts");
  const floor = (await facts.get("floor")) ?? 0;
  if (revision > floor) await facts.put(revision, "floor");
}

const highestOf = (removed: readonly HeadRow[]): number => Math.max(0, ...removed.map(({ revision }) => revision));
