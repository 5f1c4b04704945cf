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
  const ended = new Promise<"complete" | "abort">((resolve) => {
    raw.addEventListener("complete", () => resolve("complete"));
    raw.addEventListener("abort", () => resolve("abort"));
  });
  let result: T;
  try {
    result = await work(tx);
    // Reads have nothing to wait for.
    if (mode === "readonly") return result;
    raw.commit?.();
  } catch (error) {
    attempt(() => raw.abort());
    await ended;
    throw reasonOf(raw, error);
  }
  if ((await ended) === "complete") return result;
  throw reasonOf(raw, new DOMException("The transaction was ended by the browser.", "AbortError"));
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
