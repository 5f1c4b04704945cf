// Runs one case in a process of its own: neither memory nor warmed-up code of another case reaches it.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What a file of `benches/lib` prints as JSON when it is given this. */
export async function fresh(file, input) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const { stdout } = await run(process.execPath, [path, JSON.stringify(input)], { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout);
}
