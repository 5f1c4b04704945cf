// What a planned page holds, model by model, beside plain text and the page that a peer would draw.
import { ask } from "../scripts/lib/run.mjs";
import { sum } from "./lib/clock.mjs";
import { textFiles } from "./lib/corpus.mjs";
import { figures } from "./lib/package.mjs";
import { table, thousands, times } from "./lib/table.mjs";

export const title = "Pages: letters a billed token";

/** Letters of the sample that the rate of text is taken from, and the most that one file gives. */
const SAMPLE = 400_000;
const OF_A_FILE = 20_000;

export async function run() {
  const groups = plans();
  const texts = sample();
  for (const group of groups) group.text = await textRate(texts, group.models[0]);
  const lines = (groups, density) => table(HEAD, groups.map((group) => row(group, group[density])));
  const denser = groups.filter(({ safe, dense }) => dense.letters / dense.tokens > safe.letters / safe.tokens);
  const note = "saves less than 1: a page costs more than its text, and is not sent; *: nobody measured this reader";
  return {
    figures: groups,
    text: [`safe pitch\n${lines(groups, "safe")}\n${note}`, `dense pitch, where it is another\n${lines(denser, "dense")}`],
  };
}

/** What `examples/shapes.rs` prints; built first, which may take minutes. */
function plans() {
  const options = { timeout: 15 * 60_000, maxBuffer: 1 << 26, stdio: ["ignore", "pipe", "inherit"] };
  const out = ask("cargo", ["run", "--release", "--quiet", "--example", "shapes"], options);
  if (out === undefined) throw new Error("cargo run --release --example shapes failed");
  return JSON.parse(out);
}

/** Some of every file, until there is enough. */
function sample() {
  const texts = [];
  let letters = 0;
  for (const file of textFiles()) {
    let left = OF_A_FILE;
    for (const text of file.texts) {
      if (left <= 0 || letters >= SAMPLE) break;
      texts.push(text);
      left -= text.length;
      letters += text.length;
    }
  }
  return texts;
}

/** Letters that a token of plain text holds. */
async function textRate(texts, id) {
  const { parts } = await figures(texts, { model: { id, window: 2 ** 31 } });
  return sum(texts.map((text) => [...text].length)) / parts.text;
}

const HEAD = ["", "models", "pitch", "page", "letters", "tokens", "a token", "text", "saves", "peer: a token", "arrives at"];

function row({ models, measured, text }, { shape, letters, tokens, peer }) {
  const rate = letters / tokens;
  return [
    `${models[0]}${measured ? "" : " *"}`, models.length, `${shape.cellWidth}×${shape.cellHeight}`, `${shape.width}×${shape.height}`,
    thousands(letters), thousands(tokens), rate.toFixed(1), text.toFixed(1), times(rate / text),
    (peer.letters / peer.tokens).toFixed(1), `${peer.cellWidth.toFixed(1)}×${peer.cellHeight.toFixed(1)}`,
  ];
}
