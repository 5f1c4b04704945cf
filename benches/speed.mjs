// How fast tokens are counted: the estimate through the package, and the peers on the same texts.
import { best, sum } from "./lib/clock.mjs";
import { textFiles } from "./lib/corpus.mjs";
import { figures } from "./lib/package.mjs";
import { exact, forget, tokenx } from "./lib/peers.mjs";
import { ms, rate, table, thousands, times } from "./lib/table.mjs";

export const title = "Speed of counting, the same texts";

/** UTF-16 units of text: enough for steady figures, little enough for the slowest to be asked more than once. */
const SAMPLE = 3_000_000;
/** The same words in pieces as long as a long result of a tool. */
const PIECE = 16_000;
const NOTE = `Ours is all of a call: reading the objects, crossing, counting, the report. It must be 10× as fast as gpt-tokenizer, which keeps the
tokens of words it met: it is asked when it has met all of these, and when it has forgotten every one.`;

export async function run() {
  const texts = sample();
  const cases = [await timed("texts as they are", texts), await timed(`in pieces of ${PIECE / 1000} KB`, pieces(texts))];
  return { figures: cases, text: [...cases.map(show), NOTE] };
}

async function timed(name, texts) {
  const all = (count) => () => texts.forEach((text) => count(text));
  const afresh = () => (forget(), texts.forEach((text) => exact(text)));
  const milliseconds = {
    "palimpsest measure()": await best(10, () => figures(texts)),
    tokenx: await best(4, all(tokenx)),
    "gpt-tokenizer, words new": await best(2, afresh),
    "gpt-tokenizer, words known": await best(4, all(exact)),
  };
  return { name, texts: texts.length, bytes: sum(texts.map((text) => Buffer.byteLength(text))), milliseconds };
}

function show({ name, texts, bytes, milliseconds }) {
  const [[, ours]] = Object.entries(milliseconds);
  const row = ([who, taken]) => [who, ms(taken), rate(bytes, taken), taken === ours ? "" : times(taken / ours)];
  return table([`${thousands(texts)} ${name}`, "time", "speed", "ours is faster"], Object.entries(milliseconds).map(row));
}

/** Texts from all over the corpus, none twice. */
function sample() {
  const all = [...new Set(textFiles().flatMap(({ texts }) => texts))];
  const share = Math.min(1, SAMPLE / sum(all.map((text) => text.length)));
  // Every text whose place passes a whole number of shares: an even pick, the same each time.
  return all.filter((_, i) => Math.floor((i + 1) * share) > Math.floor(i * share));
}

function pieces(texts) {
  const whole = [];
  let piece = [];
  let length = 0;
  for (const text of texts) {
    piece.push(text);
    length += text.length;
    if (length < PIECE) continue;
    whole.push(piece.join("\n"));
    [piece, length] = [[], 0];
  }
  return piece.length ? [...whole, piece.join("\n")] : whole;
}
