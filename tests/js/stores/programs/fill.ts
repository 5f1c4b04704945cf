/** `fill.mjs directory`: commits until there is no room, then makes some and goes on. Prints what came of it. */
import { readdirSync } from "node:fs";
import { fileStore } from "../../../../pkg/stores/files.js";
import { chain, change } from "../support/talk.js";

const [directory = ""] = process.argv.slice(2);
const store = fileStore(directory);
await store.commit("ballast", "main", 0, change(chain(null, "x".repeat(200_000))));
let tip: string | null = null;
let revision = 0;
let error: any;
while (!error) {
  const nodes = chain(tip, "y".repeat(60_000));
  try {
    revision = await store.commit("talk", "main", revision, change(nodes));
    tip = nodes[0]!.id;
  } catch (refused) {
    error = refused;
  }
}
const stored = await store.load("talk", "main");
const left = readdirSync(directory).filter((name) => !name.endsWith(".json"));
await store.remove("ballast");
const small = fileStore(directory);
// Where a file may not be longer, another conversation may.
const goesOn = error.cause.code === "EFBIG" ? await small.commit("other", "main", 0, change(chain(null, "z"))) : await small.commit("talk", "main", revision, change(chain(tip, "z".repeat(100_000))));
console.log(JSON.stringify({ code: error.code, name: error.name, cause: error.cause.code, same: stored?.revision === revision && stored.tip === tip && stored.nodes.length === revision, left, goesOn: goesOn > 0 }));
