// How fast pages are drawn: native beside the crate oxicode-snapcompact, and through the package; how that grows with the text.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask, root } from "../scripts/lib/run.mjs";
import { body } from "./lib/bodies.mjs";
import { best } from "./lib/clock.mjs";
import { textFiles } from "./lib/corpus.mjs";
import { palimpsest } from "./lib/package.mjs";
import { rustAtLeast } from "./lib/rust.mjs";
import { kb, mb, ms, percent, table, thousands, times } from "./lib/table.mjs";

export const title = "Pages drawn a second";

/** Rust 1.x that the peer asks for. */
const PEER_NEEDS = 96;
const LETTERS = 700_000;
const scratch = join(root, "target/bench-pages");

export async function run() {
  const texts = { "code and prose": generated(), corpus: sampled() };
  mkdirSync(scratch, { recursive: true });
  const files = Object.entries(texts).map(([name, text]) => write(`${name.replaceAll(" ", "-")}.txt`, plain(text)));
  const rust = rustAtLeast(PEER_NEEDS);
  if (!rust) return { figures: undefined, text: [`left out: the peer needs Rust 1.${PEER_NEEDS} or newer, and there is none`] };

  const compared = native(rust, ["compare", ...files]);
  const cases = Object.keys(texts).flatMap((text, place) => compared[place].map((one) => ({ text, ...one })));
  for (const one of cases) one.module = await throughPackage(plain(texts[one.text]), one);
  const growth = native(rust, ["growth", write("growth.txt", texts["code and prose"])]);
  return { figures: { rust: rust.version, cases, growth }, text: [table(HEAD, cases.map(row)), table(GROWTH, growth.map(grown)), NOTE] };
}

const NOTE = `At least 10× native and 5× from WebAssembly; files at most 1.05× the peer's.`;

// A text that is the same each time, and one of what people and models wrote.

function generated() {
  const { messages } = body("openai-chat", 2 * LETTERS, 4000);
  return messages.map(({ content }) => content).join("\n");
}

function sampled() {
  const texts = [];
  let letters = 0;
  for (const file of textFiles()) {
    const text = file.texts.join("\n").slice(0, 50_000);
    texts.push(text);
    letters += text.length;
    if (letters > LETTERS) break;
  }
  return texts.join("\n");
}

/** What both draw letter by letter: the peer drops repeated white space, we draw four blanks as one; beyond ASCII the peer has other glyphs. */
function plain(text) {
  return text.replace(/\s*\n\s*/g, "\n").replace(/[^\S\n]+/g, " ").replace(/[^\n -~]/g, "?");
}

function write(name, text) {
  const path = join(scratch, name);
  writeFileSync(path, text);
  return path;
}

/** What `peer-pages` prints; built first, which may take minutes. */
function native({ cargo }, args) {
  const manifest = join(root, "benches/peer-pages/Cargo.toml");
  const build = ["run", "--release", "--locked", "--quiet", "--manifest-path", manifest, "--target-dir", join(root, "target/bench-peer-pages")];
  const options = { timeout: 20 * 60_000, maxBuffer: 1 << 26, stdio: ["ignore", "pipe", "inherit"] };
  const out = ask(cargo[0], [...cargo.slice(1), ...build, "--", ...args], options);
  if (out === undefined) throw new Error("benches/peer-pages failed");
  return JSON.parse(out);
}

/** The same page through the package: pages a second, and bytes of one. Undefined for a package that draws none. */
async function throughPackage(text, { font, pitch: [cellWidth, cellHeight], page: [width, height], letters }) {
  if (!palimpsest.pages) return undefined;
  const some = text.slice(0, 8 * letters);
  const shape = { font, cellWidth, cellHeight, width, height };
  let set;
  const taken = await best(5, async () => {
    set = await palimpsest.pages(some, { model: { id: "claude-opus-5", window: 1_000_000 }, shape });
  });
  // The last page is not full.
  const drawn = set.pages.reduce((area, page) => area + page.width * page.height, 0) / (width * height);
  return { pagesASecond: (drawn * 1000) / taken, bytes: set.pages[0].png.length };
}

const HEAD = ["text", "pitch", "letters", "ours", "peer", "faster", "WebAssembly", "faster", "file", "peer's", "ratio", "pixels alike"];

function row({ text, font, pitch, letters, ours, peer, module, alike }) {
  const speed = (one) => one && `${one.pagesASecond.toFixed(0)}/s`;
  const faster = (one) => one && times(one.pagesASecond / peer.pagesASecond);
  return [
    text, `${font} on ${pitch.join("×")}`, thousands(letters), speed(ours), speed(peer), faster(ours), speed(module), faster(module),
    kb(ours.bytes), kb(peer.bytes), times(ours.bytes / peer.bytes), percent(alike),
  ];
}

const GROWTH = ["text", "pages", "a megabyte", "a page", "counted", "memory beside the text"];

function grown(one) {
  const counted = `${(1000 / one.countMsAMegabyte).toFixed(0)} MB/s`;
  return [mb(one.bytes), thousands(one.pages), ms(one.msAMegabyte), ms(one.msAPage), counted, mb(one.memory)];
}
