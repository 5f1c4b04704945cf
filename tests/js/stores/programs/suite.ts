/** `suite.mjs directory`: the shared suite on files, in whatever runs this. Prints the cases that failed. */
import { join } from "node:path";
import { fileStore } from "../../../../pkg/stores/files.js";
import { storeSuite } from "../suite.js";

const [directory = ""] = process.argv.slice(2);
let places = 0;
const suite = storeSuite(() => {
  const place = join(directory, `place ${places++}`);
  return { open: () => fileStore(place) };
});
const failed: string[] = [];
for (const { name, run } of suite) await run().catch((error: Error) => failed.push(`${name}: ${error.message}\n${error.stack}`));
console.log(JSON.stringify({ cases: suite.length, failed }));
