// Conversations in memory; run by `fresh`.
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { measures } from "./conversation-measures.mjs";
import { operations } from "./conversation-ops.mjs";
import { palimpsest, pkg } from "./package.mjs";

const { memoryStore } = await import(pathToFileURL(join(pkg, "stores/memory.js")).href);
const store = memoryStore();
/** Memory has no rows: those of a database that keeps texts stand in, a JSON text a message. */
const texts = new Map();
async function raw(id) {
  if (!texts.has(id)) texts.set(id, (await store.load(id, "main")).nodes.map((node) => JSON.stringify(node)));
  return texts.get(id).map((text) => JSON.parse(text));
}
const ops = operations({ Conversation: palimpsest.Conversation, store, raw });
console.log(JSON.stringify(await measures(ops, JSON.parse(process.argv[2]))));
