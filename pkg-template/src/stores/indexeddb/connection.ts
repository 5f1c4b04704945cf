/** The connection to a database: opened on first use, let go when another tab needs that, opened once more when the browser drops it. */
import { CorruptStoreError, PalimpsestError } from "../../errors.js";
import { type DBSchema, type IDBPDatabase, openDB } from "../../vendor/idb.js";
import { noRoom } from "../change.js";
import type { Migration } from "./rows.js";
import { isFull } from "./transaction.js";

/** How long a tab that is in the way may take to finish what it is doing, in milliseconds. */
const PATIENCE = 3_000;

export class Connection<R extends DBSchema> {
  #opening: Promise<IDBPDatabase<R>> | undefined;
  /** What came of it, while that can be used. */
  #current: IDBPDatabase<R> | undefined;
  /** Connections the browser dropped. */
  readonly #dropped = new WeakSet<IDBPDatabase<R>>();

  constructor(
    readonly name: string,
    readonly migrations: readonly Migration<R>[],
    readonly patience = PATIENCE,
  ) {}

  /** Runs `work`; where the connection turns out to be gone, once more on a new one. */
  async run<T>(work: (db: IDBPDatabase<R>) => Promise<T>): Promise<T> {
    try {
      const db = await this.#database();
      try {
        return await work(db);
      } catch (error) {
        // The browser ends the transaction first and says a moment later that the connection is gone.
        if (isAborted(error)) await new Promise((resolve) => setTimeout(resolve));
        if (!this.#dropped.has(db) && !isLost(error)) throw error;
        this.#forget(db);
        db.close();
        return await work(await this.#database());
      }
    } catch (error) {
      throw error instanceof DOMException ? unusable(this.name, error) : error;
    }
  }

  #database(): Promise<IDBPDatabase<R>> {
    this.#opening ??= this.#open().catch((error) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  #forget(db: IDBPDatabase<R>): void {
    this.#dropped.add(db);
    // Only this one: by now there may be another.
    if (this.#current === db) this.#current = this.#opening = undefined;
  }

  async #open(): Promise<IDBPDatabase<R>> {
    let db: IDBPDatabase<R> | undefined;
    let giveUp: (error: unknown) => void;
    const refused = new Promise<never>((_, reject) => (giveUp = reject));
    refused.catch(() => {});
    let waiting: ReturnType<typeof setTimeout> | undefined;
    try {
      const opening = openDB<R>(this.name, this.migrations.length, {
        upgrade: (database, from, _, tx) => {
          for (const step of this.migrations.slice(from)) step(database, tx);
        },
        blocked: () => (waiting = setTimeout(() => giveUp(inTheWay(this.name)), this.patience)),
        // Another tab brings a later version, or deletes the database. It waits for us; the next call opens anew.
        blocking: (_, __, event) => {
          (event.target as IDBDatabase).close();
          if (db) this.#forget(db);
        },
        terminated: () => db && this.#forget(db),
      });
      // Too late is not wanted any more, but must not be in anyone's way either.
      refused.catch(() => opening.then((late) => late.close()).catch(() => {}));
      db = await Promise.race([opening, refused]);
      this.#current = db;
      return db;
    } catch (cause) {
      throw cause instanceof PalimpsestError ? cause : unopened(this.name, cause);
    } finally {
      clearTimeout(waiting);
    }
  }
}

const isAborted = (error: unknown): boolean => error instanceof Error && (error.name === "AbortError" || error.name === "UnknownError");

/** Safari drops connections, with either of these. */
function isLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "InvalidStateError" || /connection .*(lost|closing|closed)/i.test(error.message);
}

function inTheWay(name: string): PalimpsestError {
  return new PalimpsestError("load-failed", `The database ${name} is being brought up to date, and another tab of this page holds on to the old one: close or reload that tab.`);
}

/** Whatever the browser refused for a reason of its own. */
function unusable(name: string, cause: DOMException): PalimpsestError {
  return new PalimpsestError("load-failed", `The database ${name} cannot be used (${cause.name}): ${cause.message}`, { cause });
}

function unopened(name: string, cause: unknown): PalimpsestError {
  if (isFull(cause)) return noRoom(`There is no room for the database ${name}.`, cause);
  if (cause instanceof Error && cause.name === "VersionError") {
    return new CorruptStoreError(`The database ${name} was written by a later version of palimpsest: reload the page, or use that version.`, undefined, { cause });
  }
  const words = cause instanceof Error ? cause.message : String(cause);
  return new PalimpsestError("load-failed", `The database ${name} did not open: ${words}. Some private windows have none, and pages whose site data is blocked.`, { cause });
}
