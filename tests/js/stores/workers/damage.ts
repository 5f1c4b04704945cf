/** Harms what a Durable Object's store has written, and tells what is loaded then. */
import { type DurableStorage, durableObjectStore } from "../../../../pkg/stores/durable-object.js";
import type { Stored } from "../../../../pkg/stores/store.js";
import { chain, change } from "../support/talk.js";

/** SQL that does the harm, after ten messages were written. */
export interface Damage {
  sql: string;
}

export async function damage(storage: DurableStorage, { sql }: Damage): Promise<{ code?: string; message?: string; saved?: Stored; loaded?: Stored }> {
  const nodes = chain(null, ...Array.from({ length: 10 }, (_, index) => `message ${index}`));
  await durableObjectStore(storage).commit("a", "main", 0, change(nodes));
  [...storage.sql.exec(sql)];
  try {
    const loaded = await durableObjectStore(storage).load("a", "main");
    return loaded ? { loaded } : {};
  } catch (error) {
    return { ...(error as object), message: (error as Error).message };
  }
}
