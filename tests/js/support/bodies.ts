/** Request bodies of both formats to damage: those of the cases, and those of the corpus where there is one. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const corpus = process.env.PALIMPSEST_CORPUS ?? join(root, "../shared/corpus");
/** Larger bodies make a mutation slow and no different. */
const LARGEST = 60_000;

export function bodies(): object[] {
  const found: object[] = [];
  for (const name of readdirSync(join(root, "tests/cases"))) {
    if (name.endsWith(".json")) found.push(JSON.parse(readFileSync(join(root, "tests/cases", name), "utf8")).input);
  }
  for (const kind of ["g-wire-bodies", "i-images"]) {
    const folder = join(corpus, kind);
    if (!existsSync(folder)) {
      console.log(`skipped: there is no corpus at ${folder}; only cases are damaged`);
      continue;
    }
    for (const file of readdirSync(folder)) found.push(...requestsIn(JSON.parse(readFileSync(join(folder, file), "utf8"))));
  }
  return found.filter((body: any) => Array.isArray(body?.messages) && JSON.stringify(body).length < LARGEST);
}

function requestsIn(recording: any): object[] {
  return (recording.interactions ?? []).map(({ request }: any) => request).filter((request: any) => Array.isArray(request?.messages));
}
