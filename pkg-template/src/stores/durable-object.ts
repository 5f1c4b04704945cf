/** "palimpsest/durable-object": conversations in the SQLite of a Cloudflare Durable Object. */
import { QuotaError, unknownNode } from "../errors.js";
import { alreadyStored, checkedChange, type Checked, checkNames, conflict, noBytes, noRoom } from "./change.js";
import { migrate } from "./durable-object/schema.js";
import { bytesOfParts, heldBy, inParts, joined, nameOf, textsOf } from "./durable-object/values.js";
import { checkPart, listOptions, momentAfter, shownOf } from "./listing.js";
import { Listeners } from "./listeners.js";
import { type Head, LAYOUT, type Listed, type Part, type Store } from "./store.js";
import { storedOf } from "./stored.js";

export type { Change, Head, Listed, Node, NodeId, Part, Store, Stored } from "./store.js";

/** What of a Durable Object's `ctx.storage` is used. */
export interface DurableStorage {
  sql: { exec(query: string, ...bindings: any[]): any };
  transactionSync<T>(run: () => T): T;
}

interface HeadRow {
  number: number;
  agent: string;
  version: number;
  revision: number;
  messages: number;
}

/** Who listens, by storage: an object may make a store for every request. */
const listening = new WeakMap<object, Listeners>();

/** Bound parameters of one statement: Durable Objects refuse more than 100. A node's row has six. */
const ROWS_AT_ONCE = 16;

/**
 * A store in a Durable Object: give it `ctx.storage` of a class with SQLite. Its tables begin with `palimpsest_`, and stand beside any of
 * your own. They are made on the first call.
 */
export function durableObjectStore(storage: DurableStorage): Store {
  const listeners = listening.get(storage) ?? new Listeners();
  listening.set(storage, listeners);
  let ready = false;

  /** Rows as objects, read at once: a cursor does not outlive the next statement. */
  const ask = <Row = Record<string, unknown>>(query: string, ...bindings: unknown[]): Row[] => storage.sql.exec(query, ...bindings).toArray() as Row[];

  /** Runs `work` in a transaction that is rolled back when it throws, tables made in it and all. */
  async function transaction<T>(work: () => T): Promise<T> {
    try {
      const result = storage.transactionSync(() => {
        if (!ready) migrate(ask);
        return work();
      });
      ready = true;
      return result;
    } catch (error) {
      throw full(error) ?? error;
    }
  }

  const headRow = (id: string, agent: string): HeadRow | undefined =>
    ask<HeadRow>("SELECT number, agent, version, revision, messages FROM palimpsest_heads WHERE id = ? AND agent = ?", nameOf(id), nameOf(agent))[0];
  const headText = (number: number): string =>
    ask<{ text: string }>("SELECT text FROM palimpsest_head_parts WHERE conversation = ? ORDER BY part", number).map(({ text }) => text).join("");
  const isNode = (number: number, id: string): boolean => ask("SELECT 1 FROM palimpsest_nodes WHERE conversation = ? AND id = ? AND part = 0", number, nameOf(id)).length > 0;
  const isBlob = (hash: string): boolean => ask("SELECT 1 FROM palimpsest_blobs WHERE hash = ? AND part = 0", hash).length > 0;

  function validate(row: HeadRow | undefined, { nodes, outside, blobs, uses }: Checked): void {
    for (const [id, what] of outside) if (!row || !isNode(row.number, id)) throw unknownNode(id, what);
    if (row) for (const { id } of nodes) if (isNode(row.number, id)) throw alreadyStored(id);
    const given = new Set(blobs.map(({ hash }) => hash));
    for (const hash of uses) if (!given.has(hash) && !isBlob(hash)) throw noBytes(hash);
  }

  function write(number: number, seq: number, { nodes, head, blobs, uses }: Checked): void {
    ask("DELETE FROM palimpsest_head_parts WHERE conversation = ?", number);
    inParts(JSON.stringify(head)).forEach((text, part) => ask("INSERT INTO palimpsest_head_parts VALUES (?, ?, ?)", number, part, text));
    const rows = nodes.flatMap((node) => {
      const place = seq++;
      return inParts(JSON.stringify(node)).map((text, part) => [number, place, part, part === 0 ? nameOf(node.id) : null, part === 0 && node.parent !== null ? nameOf(node.parent) : null, text]);
    });
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      const some = rows.slice(at, at + ROWS_AT_ONCE);
      ask(`INSERT INTO palimpsest_nodes VALUES ${some.map(() => "(?, ?, ?, ?, ?, ?)").join(", ")}`, ...some.flat());
    }
    for (const { hash, bytes } of blobs) {
      if (isBlob(hash)) continue;
      bytesOfParts(bytes).forEach((some, part) => ask("INSERT INTO palimpsest_blobs VALUES (?, ?, ?)", hash, part, some));
    }
    for (const hash of new Set([...uses, ...blobs.map(({ hash }) => hash)])) ask("INSERT OR IGNORE INTO palimpsest_uses VALUES (?, ?)", hash, number);
  }

  function remove({ number, revision }: HeadRow): void {
    const used = ask<{ hash: string }>("DELETE FROM palimpsest_uses WHERE conversation = ? RETURNING hash", number);
    for (const { hash } of used) ask("DELETE FROM palimpsest_blobs WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM palimpsest_uses WHERE hash = ?)", hash, hash);
    for (const table of ["nodes", "head_parts"]) ask(`DELETE FROM palimpsest_${table} WHERE conversation = ?`, number);
    ask("DELETE FROM palimpsest_heads WHERE number = ?", number);
    // Last: a full object has room only now.
    ask("INSERT INTO palimpsest_facts VALUES ('floor', ?) ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)", revision);
  }

  return {
    async load(id, agent, part) {
      checkNames(id, agent);
      checkPart(part);
      const found = await transaction(() => {
        const row = headRow(id, agent);
        if (!row) return undefined;
        const lost: string[] = [];
        const head = heldBy(headText(row.number), () => lost.push("the head is no JSON"));
        const rows = part ? pathRows(row.number, head as Head | undefined, part) : ask<{ seq: number; text: string }>("SELECT seq, text FROM palimpsest_nodes WHERE conversation = ? ORDER BY seq, part", row.number);
        const nodes = textsOf(rows).map((text) => heldBy(text, () => lost.push("a message is no JSON")));
        return { id, version: row.version, revision: row.revision, head, nodes: nodes.filter((node) => node !== undefined), lost, part: part !== undefined };
      });
      return found && storedOf(found);
    },

    async commit(id, agent, base, change) {
      const checked = checkedChange(id, agent, base, change);
      const revision = await transaction(() => {
        const row = headRow(id, agent);
        if ((row?.revision ?? 0) !== base) throw conflict(id, base, row?.revision ?? 0);
        validate(row, checked);
        const [newest] = ask<{ updated: number }>("SELECT updated FROM palimpsest_heads ORDER BY updated DESC LIMIT 1");
        const [floor] = ask<{ value: number }>("SELECT value FROM palimpsest_facts WHERE name = 'floor'");
        const next = row ? base + 1 : (floor?.value ?? 0) + 1;
        const messages = (row?.messages ?? 0) + checked.nodes.length;
        const [written] = ask<{ number: number }>(
          `INSERT INTO palimpsest_heads (id, agent, version, revision, updated, messages) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT (id, agent) DO UPDATE SET version = excluded.version, revision = excluded.revision, updated = excluded.updated, messages = excluded.messages
           RETURNING number`,
          ...[nameOf(id), nameOf(agent), LAYOUT, next, momentAfter(newest?.updated ?? 0), messages],
        );
        write(written!.number, row?.messages ?? 0, checked);
        return next;
      });
      listeners.tell(id, agent, revision);
      return revision;
    },

    async blob(hash) {
      return transaction(() => {
        const parts = ask<{ bytes: ArrayBuffer }>("SELECT bytes FROM palimpsest_blobs WHERE hash = ? ORDER BY part", String(hash));
        return parts.length > 0 ? joined(parts.map(({ bytes }) => bytes)) : undefined;
      });
    },

    async list(options) {
      const { limit, before } = listOptions(options);
      // SQLite has no infinity: a negative limit is none, and no moment is as late as this.
      const range = [Math.min(before, Number.MAX_SAFE_INTEGER), limit === Infinity ? -1 : limit];
      return transaction(() => {
        const rows = ask<HeadRow & { id: string; updated: number }>("SELECT number, id, agent, messages, updated FROM palimpsest_heads WHERE updated < ? ORDER BY updated DESC LIMIT ?", ...range);
        return rows.map(({ number, id, agent, messages, updated }): Listed => {
          return { id: JSON.parse(id), agent: JSON.parse(agent), messages, updatedAt: updated, ...shownOf(heldBy(headText(number))) };
        });
      });
    },

    async remove(id, agent) {
      checkNames(id, agent ?? "");
      const removed = await transaction(() => {
        const rows = ask<HeadRow>("SELECT number, agent, revision FROM palimpsest_heads WHERE id = ?", nameOf(id)).filter((row) => agent === undefined || row.agent === nameOf(agent));
        rows.forEach(remove);
        return rows;
      });
      for (const row of removed) listeners.tell(id, JSON.parse(row.agent), 0);
    },

    subscribe: (listener) => listeners.add(listener),
  };

  /** The newest rows of a path, oldest first: SQLite follows the parents itself. */
  function pathRows(number: number, head: Head | undefined, { path, to }: Part): { seq: number; text: string }[] {
    if (to !== undefined && !isNode(number, to)) throw unknownNode(to, "The end of the path");
    const end = to ?? head?.tip;
    if (typeof end !== "string") return [];
    return ask(
      `WITH RECURSIVE path (seq, parent, place) AS (
         SELECT seq, parent, 1 FROM palimpsest_nodes WHERE conversation = ? AND id = ? AND part = 0
         UNION ALL
         SELECT node.seq, node.parent, place + 1 FROM path JOIN palimpsest_nodes node ON node.conversation = ? AND node.id = path.parent AND node.part = 0 WHERE place < ?
       )
       SELECT node.seq, node.text FROM path JOIN palimpsest_nodes node ON node.conversation = ? AND node.seq = path.seq ORDER BY place DESC, node.part`,
      ...[number, nameOf(end), number, path, number],
    );
  }
}

/** The error of a database that has no room, in words of the contract. */
function full(error: unknown): QuotaError | undefined {
  const words = error instanceof Error ? error.message : String(error);
  if (/SQLITE_FULL|disk is full|exceeded? .*storage|storage limit/i.test(words)) return noRoom("The Durable Object has no room left.", error);
  if (/SQLITE_TOOBIG|too big/i.test(words)) return noRoom("A name is too long to be a row of the Durable Object.", error);
  return undefined;
}
