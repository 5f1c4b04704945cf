/** What may befall a database in a browser, done to it. */
import { Connection } from "../../../../pkg/stores/indexeddb/connection.js";
import { indexedDBStore } from "../../../../pkg/stores/indexeddb.js";
import type { Node } from "../../../../pkg/stores/store.js";
import { chain, change } from "../support/talk.js";
import { talkOn, turnsIn, writeAlong } from "../support/turns.js";

let names = 0;
const freshName = (): string => `trouble ${names++} of ${performance.timeOrigin}`;

const asked = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
const codeOf = (error: any): string => `${error.code ?? error.name}: ${error.message}`;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Changes rows behind the store's back, after ten messages were written; what is loaded then. */
async function damage(kind: string): Promise<object> {
  const name = freshName();
  const nodes = chain(null, ...Array.from({ length: 10 }, (_, index) => `message ${index}`));
  await indexedDBStore(name).commit("a", "main", 0, change(nodes, { meta: { title: "kept" } }));
  const db = await asked(indexedDB.open(name));
  const tx = db.transaction(["heads", "nodes"], "readwrite");
  const rows = tx.objectStore("nodes");
  const head = (await asked(tx.objectStore("heads").getAll()))[0];
  const key = (seq: number): IDBValidKey => [head.number, seq];
  const harm: Record<string, () => IDBRequest> = {
    gone: () => rows.delete(key(4)),
    first: () => rows.delete(key(0)),
    tip: () => rows.delete(key(9)),
    shape: () => rows.put({ conversation: head.number, seq: 4, node: { id: "x", parent: null, at: 1, message: "words" } }),
    empty: () => rows.put({ conversation: head.number, seq: 4 }),
    all: () => rows.clear(),
    head: () => tx.objectStore("heads").put({ ...head, head: { tip: 5, meta: { title: "kept" } } }),
    headless: () => tx.objectStore("heads").put({ ...head, head: undefined }),
    later: () => tx.objectStore("heads").put({ ...head, version: 2 }),
  };
  await asked(harm[kind]!());
  db.close();
  try {
    return { loaded: await indexedDBStore(name).load("a", "main") };
  } catch (error) {
    return { ...(error as object), message: (error as Error).message, part: await indexedDBStore(name).load("a", "main", { path: 3 }).then((part) => part?.nodes.length, codeOf) };
  }
}

/** Another tab brings a later version of the database: it must not wait for us. */
async function later(): Promise<object> {
  const name = freshName();
  const store = indexedDBStore(name);
  await store.commit("a", "main", 0, change(chain(null, "one")));
  const opening = indexedDB.open(name, 9);
  const blocked = new Promise<string>((resolve) => (opening.onblocked = () => resolve("blocked")));
  const opened = await Promise.race([asked(opening).then((db) => (db.close(), "opened")), blocked]);
  return { opened, then: await store.load("a", "main").catch(codeOf) };
}

/** The database is deleted in another tab; the store begins a new one. */
async function deleted(): Promise<object> {
  const name = freshName();
  const store = indexedDBStore(name);
  const nodes = chain(null, "one");
  await store.commit("a", "main", 0, change(nodes));
  const deleting = indexedDB.deleteDatabase(name);
  const blocked = new Promise<string>((resolve) => (deleting.onblocked = () => resolve("blocked")));
  const gone = await Promise.race([asked(deleting).then(() => "gone"), blocked]);
  return { gone, then: (await store.load("a", "main")) ?? "nothing", again: await store.commit("a", "main", 0, change(nodes)) };
}

/** A tab that will not let go. */
async function blocked(): Promise<object> {
  const name = freshName();
  const make = (store: string) => (db: any): void => void db.createObjectStore(store);
  const held = await asked(Object.assign(indexedDB.open(name, 1), { onupgradeneeded: () => {} }));
  const connection = new Connection<any>(name, [make("one"), make("two")], 300);
  const start = performance.now();
  const refused = await connection.run(async () => "opened").catch(codeOf);
  const waited = performance.now() - start;
  held.close();
  const then = await connection.run(async (db) => [...db.objectStoreNames].join());
  return { refused, waited, then };
}

/** A tab that lets go after a moment. */
async function slow(): Promise<object> {
  const name = freshName();
  const make = (store: string) => (db: any): void => void db.createObjectStore(store);
  const held = await asked(indexedDB.open(name, 1));
  const connection = new Connection<any>(name, [make("one"), make("two")], 300);
  setTimeout(() => held.close(), 100);
  const first = await connection.run(async (db) => db);
  await pause(400);
  return { usable: await connection.run(async (db) => db.transaction("two").done.then(() => db === first)) };
}

/** The browser has dropped the connection, and says so `times` times when it is used. */
async function dropped(times: number, how: "InvalidStateError" | "UnknownError"): Promise<object> {
  const store = indexedDBStore(freshName());
  const nodes = chain(null, "one");
  await store.commit("a", "main", 0, change(nodes));
  const { transaction } = IDBDatabase.prototype;
  const { open } = IDBFactory.prototype;
  let left = times;
  let opened = 0;
  IDBDatabase.prototype.transaction = function (...args: any) {
    if (left-- > 0) throw new DOMException("Connection to Indexed Database server lost. Refresh the page to try again", how);
    return transaction.apply(this, args);
  };
  IDBFactory.prototype.open = function (...args: any) {
    opened++;
    return open.apply(this, args);
  };
  try {
    return { commit: await store.commit("a", "main", 1, change(chain(nodes[0]!.id, "two"))).catch(codeOf), opened };
  } finally {
    IDBDatabase.prototype.transaction = transaction;
    IDBFactory.prototype.open = open;
  }
}

/** Where the browser keeps nothing. */
async function closed(): Promise<object> {
  const { open } = IDBFactory.prototype;
  IDBFactory.prototype.open = () => {
    throw new DOMException("The user denied permission to access the database.", "SecurityError");
  };
  const refused = await indexedDBStore(freshName()).load("a", "main").catch(codeOf);
  IDBFactory.prototype.open = open;
  return { refused };
}

/** Commits until it is told to stop; what each came to. */
let stop = false;
let results: Record<string, number> = {};
async function committing(): Promise<Record<string, number>> {
  const store = indexedDBStore("committing");
  results = {};
  stop = false;
  let revision = 0;
  let tip: string | null = null;
  while (!stop) {
    const nodes: Node[] = chain(tip, "x".repeat(20_000), "y".repeat(20_000));
    const result: number | string = await store.commit("a", "main", revision, change(nodes)).catch((error) => String(error.code ?? codeOf(error)));
    results[typeof result === "number" ? "made" : result] = (results[typeof result === "number" ? "made" : result] ?? 0) + 1;
    if (typeof result === "number") [revision, tip] = [result, nodes[1]!.id];
    else if (result === "conflict") [revision, tip] = [0, null];
    await pause(0);
  }
  return results;
}

/** Until there is no room; what is there then. */
async function fill(): Promise<object> {
  const store = indexedDBStore("filled");
  await store.commit("ballast", "main", 0, change(chain(null, noise(1_500_000))));
  let revision = 0;
  let tip: string | null = null;
  let error: any;
  for (let turn = 0; turn < 400 && !error; turn++) {
    const nodes: Node[] = chain(tip, noise(100_000));
    try {
      revision = await store.commit("talk", "main", revision, change(nodes));
      tip = nodes[0]!.id;
    } catch (refused) {
      error = refused;
    }
  }
  const stored = await store.load("talk", "main");
  const listed = (await store.list()).map(({ id, messages }) => [id, messages]);
  return { code: error?.code, name: error?.name, message: error?.message, cause: error?.cause?.name, revision, same: stored?.revision === revision && stored.tip === tip && stored.nodes.length === revision, listed };
}

/** After that: room is made, and it goes on. */
async function goOn(): Promise<object> {
  const store = indexedDBStore("filled");
  await store.remove("ballast");
  const before = (await store.load("talk", "main"))!;
  for (let tries = 0; ; tries++) {
    // The browser counts anew what is used after a moment.
    const made = await store.commit("talk", "main", before.revision, change(chain(before.tip, noise(100_000)))).catch((error) => error);
    if (typeof made === "number") return { made: made - before.revision, tries, nodes: (await store.load("talk", "main"))!.nodes.length - before.nodes.length };
    if (made.code !== "quota" || tries === 40) throw made;
    await pause(250);
  }
}

const cramped = indexedDBStore("cramped");

/** Two commits, to be removed where nothing more may be written. */
async function prepared(): Promise<void> {
  const nodes = chain(null, "one", "two");
  for (const [base, node] of nodes.entries()) await cramped.commit("gone", "main", base, change([node]));
}

/** Whether what is larger than all the room there ever was is refused. Only then the browser counts anew: before, it gives away what it had counted. */
async function crammed(): Promise<string> {
  return cramped.commit("large", "main", 0, change(chain(null, noise(3_000_000)))).then(String, codeOf);
}

/** Removes it there. What is there then, in the eyes of this store and of a later one. */
async function removed(): Promise<object> {
  const heard: number[] = [];
  const told = new Promise<void>((resolve) => cramped.subscribe!((_, __, revision) => void (heard.push(revision!), resolve())));
  await cramped.remove("gone");
  const refused = await cramped.commit("gone", "main", 0, change(chain(null, "three"))).catch(codeOf);
  await told;
  return { refused, heard, listed: (await cramped.list()).some(({ id }) => id === "gone"), later: (await indexedDBStore("cramped").load("gone", "main")) ?? "nothing" };
}

/** Once there is room again: its revision. */
async function begun(): Promise<object> {
  const other = await cramped.commit("other", "main", 0, change(chain(null, "four")));
  return { other, gone: await indexedDBStore("cramped").commit("gone", "main", 0, change(chain(null, "five"))) };
}

/** Text that cannot be packed: letters of one byte, at random. */
function noise(length: number): string {
  const parts: string[] = [];
  for (let at = 0; at < length; at += 30_000) parts.push(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(Math.min(30_000, length - at))).map((byte) => 33 + (byte % 90))));
  return parts.join("");
}

const talks = indexedDBStore("talks");

/** One of several tabs. */
async function along(who: string, count: number): Promise<object> {
  const heard = new Set<number>();
  const end = talks.subscribe!((id, _, revision) => id === "shared" && heard.add(revision ?? 0));
  const conflicts = await writeAlong(talks, "shared", who, count);
  await pause(500);
  end();
  return { conflicts, heard: heard.size };
}

Object.assign(globalThis, {
  run: {
    damage, later, deleted, blocked, slow, dropped, closed, committing, fill, goOn, prepared, crammed, removed, begun, along,
    soFar: () => results,
    stop: () => void (stop = true),
    load: (id: string) => talks.load(id, "main"),
    turns: (id: string) => turnsIn(talks, id),
    talk: (id: string, turns: number) => talkOn(talks, id, turns, (turn) => (globalThis as any).made?.(turn)),
  },
});

// A browser without a driver says by itself what it finds, and goes on, telling the server of each turn.
if (location.hash.startsWith("#talk=")) {
  const [id = "", turns = ""] = location.hash.slice(6).split(",");
  const tell = (path: string, what: unknown): Promise<unknown> => fetch(path, { method: "POST", body: JSON.stringify(what) });
  void turnsIn(talks, id)
    .then((found) => tell("/found", found))
    .then(() => talkOn(talks, id, Number(turns), (turn) => tell("/made", turn)))
    .then(() => tell("/whole", true))
    .catch((error) => tell("/failed", codeOf(error)));
}
document.querySelector("pre")!.textContent = "ready";
