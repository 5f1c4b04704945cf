// The package as it was built, the way Node imports it, and the memory of its module.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../../scripts/lib/run.mjs";

export const pkg = join(root, "pkg");
if (!existsSync(join(pkg, "core_bg.wasm"))) throw new Error("the package is not built: run npm run build");

const load = (name) => import(pathToFileURL(join(pkg, name)).href);

export const palimpsest = await load("entry/node.js");
export const { readSession } = await load("read-session.js");
export const { withCompaction } = await load("fetch.js");

// The public package hides its memory; once loaded, the glue answers with the exports of the module that runs.
const { memory } = (await load("core.js")).initSync();

/** Bytes that the module holds. WebAssembly memory never shrinks, so this is the most it ever needed. */
export const memoryHeld = () => memory.buffer.byteLength;

/** Tokens of a text of OpenAI's newest tokenizer, by the package's own figures. */
export async function estimate(text) {
  return (await figures([text])).parts.text;
}

/** What `measure` says of texts, each a message of its own. */
export function figures(texts, options) {
  const messages = texts.map((content) => ({ role: "user", content }));
  return palimpsest.measure({ messages }, { model: { id: "gpt-4o", window: 2 ** 31 }, format: "openai-chat", ...options });
}
