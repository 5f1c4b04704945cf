// Conversations in IndexedDB; bundled for a page.
import { Conversation } from "../../pkg/entry/inline.js";
import { indexedDBStore } from "../../pkg/stores/indexeddb.js";
import { measures } from "./conversation-measures.mjs";
import { operations } from "./conversation-ops.mjs";

const NAME = "palimpsest-bench";

const done = (request) => new Promise((resolve, reject) => ((request.onsuccess = () => resolve(request.result)), (request.onerror = () => reject(request.error))));

/** All rows of a conversation at once, and nothing done with them. */
async function raw(id) {
  const db = await done(indexedDB.open(NAME));
  const reading = db.transaction(["heads", "nodes"]);
  const { number } = await done(reading.objectStore("heads").index("name").get([id, "main"]));
  await done(reading.objectStore("nodes").getAll(IDBKeyRange.bound([number], [number, []])));
  db.close();
}

globalThis.measured = (sizes) => measures(operations({ Conversation, store: indexedDBStore(NAME), raw }), sizes);
