// How fast tokens are counted, the estimate through the package and the tokenizers on the same texts.
import { textFiles } from "./lib/corpus.mjs";
import { best, sum } from "./lib/clock.mjs";
import { figures } from "./lib/package.mjs";
import { exact, tokenx } from "./lib/peers.mjs";
import { mb, ms, rate, table, thousands, times } from "./lib/table.mjs";

export const title = "Speed of counting, the same texts";

/** UTF-16 units of text: enough for steady figures, little enough for the slowest to be asked three times. */
const SAMPLE = 4_000_000;
const LIMIT = 10;

export async function run() {
  const texts = sample();
  const bytes = sum(texts.map((text) => Buffer.byteLength(text)));
  const all = (count) => () => texts.forEach((text) => count(text));
  const taken = {
    "palimpsest, measure()": await best(7, () => figures(texts)),
    tokenx: await best(4, all(tokenx)),
    "gpt-tokenizer, o200k_base": await best(3, all(exact)),
  };
  const ours = taken["palimpsest, measure()"];
  const row = ([name, millis]) => [name, ms(millis), rate(bytes, millis), millis === ours ? "" : times(millis / ours)];
  const note = `${thousands(texts.length)} texts, ${mb(bytes)}. Ours is all of a call: reading the objects, crossing, counting, the report. It must be ${LIMIT}× as fast as gpt-tokenizer.`;
  return { figures: { texts: texts.length, bytes, milliseconds: taken }, text: [table(["", "time", "speed", "ours is faster"], Object.entries(taken).map(row)), note] };
}

/** Texts from all over the corpus, none twice. */
function sample() {
  const all = [...new Set(textFiles().flatMap(({ texts }) => texts))];
  const letters = sum(all.map((text) => text.length));
  const share = Math.min(1, SAMPLE / letters);
  // Every text whose place passes a whole number of shares: an even pick, the same each time.
  return all.filter((_, i) => Math.floor((i + 1) * share) > Math.floor(i * share));
}
