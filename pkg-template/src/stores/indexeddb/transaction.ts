/** One transaction: whole or not at all, and what went wrong told in words of the contract. */
import { type IDBPDatabase, type IDBPTransaction, type StoreNames, unwrap } from "../../vendor/idb.js";
import { noRoom } from "../change.js";
import type { Rows } from "./rows.js";

type Mode = "readonly" | "readwrite";
export type Transaction<M extends Mode> = IDBPTransaction<Rows, StoreNames<Rows>[], M>;

/**
 * Runs `work` in one transaction, and resolves once it is complete. In `work` nothing foreign may be awaited: the transaction would end.
 * When `work` throws, nothing is written. Rejects: QuotaError when there is no room.
 */
export async function within<M extends Mode, T>(
  db: IDBPDatabase<Rows>,
  stores: StoreNames<Rows>[],
  mode: M,
  work: (tx: Transaction<M>) => Promise<T>,
): Promise<T> {
  const tx = db.transaction(stores, mode, { durability: "strict" });
  // It tells of a failed request before the transaction knows why; `ended` waits for that.
  tx.done.catch(() => {});
  const raw = unwrap(tx as IDBPTransaction) as IDBTransaction;
  const end = new AbortController();
  const ended = new Promise<"complete" | "abort">((resolve) => {
    raw.addEventListener("complete", () => resolve("complete"), end);
    raw.addEventListener("abort", () => resolve("abort"), end);
    // When the browser drops the connection the transaction may never say that it ended (Chromium 156), nor a request that it failed.
    raw.db.addEventListener("close", () => setTimeout(() => resolve("abort")), end);
  });
  const completed = ended.then((how) => {
    if (how === "abort") throw new DOMException("The browser ended the transaction.", "AbortError");
  });
  completed.catch(() => {});
  try {
    const working = work(tx);
    working.catch(() => {});
    const result = await Promise.race([working, completed.then(() => working)]);
    // Reads have nothing to wait for. What writes commits by itself once no request is left: were `commit` called while some are,
    // Firefox (153) would commit also when one fails.
    if (mode === "readwrite") await completed;
    return result;
  } catch (error) {
    attempt(() => raw.abort());
    await ended;
    throw reasonOf(raw, error);
  } finally {
    end.abort();
  }
}

/** A full disk shows in the transaction, where the requests only say that they were ended. */
function reasonOf({ error: cause }: IDBTransaction, error: unknown): unknown {
  if (isFull(cause) || isFull(error)) return noRoom("The browser has no room left for this site.", cause ?? error);
  return error instanceof DOMException && cause ? cause : error;
}

export function isFull(error: unknown): boolean {
  return error instanceof Error && error.name === "QuotaExceededError";
}

function attempt(run: () => void): void {
  try {
    run();
  } catch {
    // It has ended already.
  }
}
