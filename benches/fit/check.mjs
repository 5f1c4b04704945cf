// Whether the scan here and the one in src/meter agree: over the text of the fit, by kind.
//   node check.mjs        differences come from cuts that the scan only comes near to
import { estimator } from "../estimator/probe.mjs";
import { hash, sources } from "./sources.mjs";
import { estimate } from "./sums.mjs";

const { estimate: built } = await estimator();
const kinds = {};
for (const { kind, name, text } of sources()) {
  if (hash(name) % 16 && kind !== "synthetic") continue;
  for (const [table, name] of [["o200k", "O200K"], ["cl100k", "CL100K"]]) {
    const entry = (kinds[`${kind} ${table}`] ??= { here: 0, built: 0, worst: 0, of: "" });
    const [a, b] = [estimate(text, name), built(text, table)];
    entry.here += a;
    entry.built += b;
    if (Math.abs(b / a - 1) > entry.worst) Object.assign(entry, { worst: Math.abs(b / a - 1) });
  }
}
for (const [kind, { here, built, worst }] of Object.entries(kinds)) {
  console.log(kind.padEnd(20), `in all ${(100 * (built / here - 1)).toFixed(2)} %, worst text ${(100 * worst).toFixed(1)} %`);
}
