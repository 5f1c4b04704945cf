// One generated body through `compact`; run by `fresh`. With `rounds` it is timed beside a trip through JSON text, warm; without, it
// is called once in a process that never called it before, and the memory of the module is told.
import { body } from "./bodies.mjs";
import { pair, time } from "./clock.mjs";
import { memoryHeld, palimpsest } from "./package.mjs";

const { format, size, each, window, rounds } = JSON.parse(process.argv[2]);
const request = body(format, size, each);
const bytes = Buffer.byteLength(JSON.stringify(request));
// Below a window of two thousand million tokens, and as many bytes, nothing is due whatever stands in it.
const options = { model: { id: request.model, window: window ?? 2 ** 31 }, format, ...(!window && { limits: { bytes: 2 ** 31 } }) };
const compact = () => palimpsest.compact(request, options);
const copy = () => JSON.parse(JSON.stringify(request));

const figures = { format, bytes, each, window, messages: request.messages.length };
if (rounds) Object.assign(figures, await timed());
else Object.assign(figures, { ours: await time(compact), memory: memoryHeld(), ratio: memoryHeld() / bytes });
console.log(JSON.stringify(figures));

/** Engines first run slow code and compile better code meanwhile; a small body gives them a second for it. */
async function timed() {
  const small = body(format, 1_000_000, each);
  const start = performance.now();
  while (performance.now() - start < 1000) {
    await palimpsest.compact(small, options);
    JSON.parse(JSON.stringify(small));
  }
  return pair(rounds, copy, compact);
}
