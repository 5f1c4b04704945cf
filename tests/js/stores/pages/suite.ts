/** The shared suite in a page: `run.suite(index)` runs one case, `run.all()` runs all. */
import { indexedDBStore } from "../../../../pkg/stores/indexeddb.js";
import { storeSuite } from "../suite.js";

let places = 0;
const suite = storeSuite(() => {
  const name = `suite ${places++} of ${performance.timeOrigin}`;
  return { open: () => indexedDBStore(name) };
});

/** What went wrong; nothing when all is well. */
async function run(index: number): Promise<string> {
  try {
    await suite[index]!.run();
    return "";
  } catch (error) {
    return `${String(error)}\n${(error as Error).stack}`;
  }
}

async function all(): Promise<Record<string, string>> {
  const results: Record<string, string> = {};
  for (const [index, { name }] of suite.entries()) results[name] = await run(index);
  return results;
}

Object.assign(globalThis, { run: { suite: run, all } });
// A browser without a driver is asked to do all by itself, and to send what came of it.
if (location.hash === "#all") void all().then((results) => fetch("/results", { method: "POST", body: JSON.stringify(results) }));
document.querySelector("pre")!.textContent = "ready";
