/** Looks at how a Durable Object's store writes. */
import { type DurableStorage, durableObjectStore } from "../../../../pkg/stores/durable-object.js";
import { outgoing } from "../../../../pkg/stores/blobs.js";
import { chain, change, node } from "../support/talk.js";
import { picture } from "../suite/blobs.js";

export type Work = "rows" | "parameters" | "full" | "name" | "tables";

export async function work(storage: DurableStorage, what: Work): Promise<unknown> {
  const store = durableObjectStore(storage);
  const rows = (query: string): any[] => [...storage.sql.exec(query)];
  switch (what) {
    case "rows": {
      // Four megabytes in every place where a megabyte is too much.
      const message = node(null, "字".repeat(1_400_000), { data: picture(4_200_000, 1) });
      await store.commit("a", "main", 0, await outgoing(store, change([message], { notes: { all: "\u{1f600}".repeat(1_000_000) } })));
      const of = (column: string, table: string): number => rows(`SELECT max(length(CAST(${column} AS BLOB))) AS size FROM palimpsest_${table}`)[0].size;
      return [of("text", "nodes"), of("text", "head_parts"), of("bytes", "blobs")];
    }
    case "parameters": {
      let most = 0;
      const watched: DurableStorage = {
        transactionSync: (run) => storage.transactionSync(run),
        sql: {
          exec(query, ...bindings) {
            most = Math.max(most, bindings.length);
            return storage.sql.exec(query, ...bindings);
          },
        },
      };
      await durableObjectStore(watched).commit("a", "main", 0, change(chain(null, ...Array.from({ length: 250 }, String))));
      return most;
    }
    case "full": {
      const first = chain(null, "one");
      await store.commit("a", "main", 0, change(first));
      const before = await store.load("a", "main");
      const next = change(chain(first[0]!.id, ...Array.from({ length: 200 }, () => "x".repeat(10_000))));
      const error = await durableObjectStore(fullAfter(storage, 8)).commit("a", "main", 1, next).catch((error) => error);
      const after = await store.load("a", "main");
      const revision = await store.commit("a", "main", 1, change(chain(first[0]!.id, "small")));
      return { code: error.code, name: error.name, same: JSON.stringify(before) === JSON.stringify(after), revision };
    }
    case "name":
      return store.commit("x".repeat(3_000_000), "main", 0, change([])).catch((error) => `${error.code}: ${error.message}`);
    case "tables":
      await store.list();
      rows("CREATE TABLE mine (x)");
      await store.commit("a", "main", 0, change(chain(null, "one")));
      rows("UPDATE palimpsest_facts SET value = 99 WHERE name = 'version'");
      return {
        mine: rows("SELECT name FROM sqlite_master WHERE name = 'mine'").length,
        open: (await store.load("a", "main"))?.nodes.length,
        anew: await durableObjectStore(storage).load("a", "main").catch((error) => `${error.code}: ${error.message}`),
      };
  }
}

/** A storage that is full after some statements more that write. workerd lets nobody cap its SQLite, so the words of the error are said for it;
 *  that all before them is rolled back is its own doing. */
function fullAfter(storage: DurableStorage, statements: number): DurableStorage {
  let left = statements;
  return {
    transactionSync: (run) => storage.transactionSync(run),
    sql: {
      exec(query, ...bindings) {
        if (query.startsWith("INSERT") && left-- === 0) throw new Error("database or disk is full: SQLITE_FULL");
        return storage.sql.exec(query, ...bindings);
      },
    },
  };
}
