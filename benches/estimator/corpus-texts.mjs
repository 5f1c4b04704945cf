// Reads conversation files of many kinds and yields the texts a model would be sent: text parts, tool results,
// call arguments, JSON of tool schemas. Used to check the estimator, never to fit it.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

// Opaque or bookkeeping values: no model reads them as text.
const SKIP = new Set([
  "data", "base64", "signature", "thoughtSignature", "encrypted_content", "image_url", "images", "image",
  "toolUseResult", "snapshot", "originalFile", "structuredPatch", "usage", "logprobs", "metadata", "uuid", "cwd",
]);
const TEXT = new Set(["content", "text", "value", "output", "thinking", "reasoning", "parts", "instructions", "system", "observation"]);
// Objects a request carries as JSON: one text each.
const JSON_TEXT = new Set(["input", "arguments", "args", "parameters", "input_schema", "kwargs", "function", "tools"]);

const opaque = (s) => s.startsWith("data:") || (s.length > 300 && !/[ \n]/.test(s.slice(0, 300)) && /^[\w+/=-]+$/.test(s.slice(0, 300)));

/** Collects the texts of one parsed JSON value into `out`. */
export function textsOf(value, out = [], key = "") {
  if (typeof value === "string") {
    if (value && (TEXT.has(key) || JSON_TEXT.has(key)) && !opaque(value)) out.push(value);
  } else if (Array.isArray(value)) {
    if (key === "tools" && value.some((tool) => tool && typeof tool === "object")) {
      for (const tool of value) out.push(JSON.stringify(tool));
    } else for (const item of value) textsOf(item, out, key);
  } else if (value && typeof value === "object") {
    if (JSON_TEXT.has(key) && !("role" in value) && !JSON.stringify(value).includes("base64")) out.push(JSON.stringify(value));
    else for (const [name, item] of Object.entries(value)) if (!SKIP.has(name)) textsOf(item, out, name);
  }
  return out;
}

/** Every file under `root` as `{ kind, file, texts }`, in order of name. */
export function* corpusTexts(root) {
  for (const kind of readdirSync(root).sort()) {
    if (!statSync(join(root, kind)).isDirectory()) continue;
    for (const file of readdirSync(join(root, kind)).sort()) {
      const raw = readFileSync(join(root, kind, file), "utf8").replace(/^\ufeff/, "");
      const texts = [];
      try {
        textsOf(JSON.parse(raw), texts);
      } catch {
        for (const line of raw.split("\n")) {
          try {
            textsOf(JSON.parse(line), texts);
          } catch {
            // some corpus files hold broken lines on purpose
          }
        }
      }
      yield { kind: kind.slice(0, 1), file, texts };
    }
  }
}
