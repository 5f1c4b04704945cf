// The desk at which the agent of the bundled session sits: the shop's files, which it reads, searches and changes.
// Whatever a tool answers is worked out here, so that the session tells one story from its first message to its last.

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const shop = fileURLToPath(new URL("shop", import.meta.url));

export class Desk {
  files = new Map();

  constructor() {
    for (const entry of readdirSync(shop, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const name = relative(shop, path).replaceAll("\\", "/");
      if (entry.isFile() && !name.endsWith(".png")) this.files.set(name, readFileSync(path, "utf8"));
    }
  }

  list() {
    return [...this.files].sort().map(([name, text]) => `${String(text.length).padStart(6)}  ${name}`).join("\n");
  }

  /** Numbered lines, `from` and `to` inclusive. */
  read(name, from = 1, to = Infinity) {
    const lines = this.#text(name).trimEnd().split("\n");
    return lines.map((line, i) => `${String(i + 1).padStart(5)}\t${line}`).slice(from - 1, to).join("\n");
  }

  search(pattern) {
    const wanted = new RegExp(pattern);
    const hits = [...this.files].sort().flatMap(([name, text]) =>
      text.split("\n").flatMap((line, i) => (wanted.test(line) ? [`${name}:${i + 1}:${line.trim()}`] : [])),
    );
    return hits.length > 0 ? hits.join("\n") : "no matches";
  }

  write(name, text) {
    this.files.set(name, text);
    return `${name} written, ${text.trimEnd().split("\n").length} lines`;
  }

  /** Replaces a text that stands in the file exactly once; answers with the difference, as a tool for programmers would. */
  edit(name, before, after) {
    const text = this.#text(name);
    const at = text.indexOf(before);
    if (at < 0 || text.indexOf(before, at + 1) >= 0) throw new Error(`${name}: the text stands there ${at < 0 ? "nowhere" : "twice"}`);
    this.files.set(name, text.replace(before, () => after));
    return difference(name, text.slice(0, at).split("\n").length, before, after);
  }

  #text(name) {
    const text = this.files.get(name);
    if (text === undefined) throw new Error(`${name}: no such file`);
    return text;
  }
}

function difference(name, line, before, after) {
  const [old, now] = [before, after].map((text) => text.replace(/\n$/, "").split("\n"));
  let same = 0;
  while (same < Math.min(old.length, now.length) && old[same] === now[same]) same++;
  let end = 0;
  while (end < Math.min(old.length, now.length) - same && old.at(-1 - end) === now.at(-1 - end)) end++;
  return [
    `--- a/${name}`,
    `+++ b/${name}`,
    `@@ -${line},${old.length} +${line},${now.length} @@`,
    ...old.slice(0, same).map((text) => ` ${text}`),
    ...old.slice(same, old.length - end).map((text) => `-${text}`),
    ...now.slice(same, now.length - end).map((text) => `+${text}`),
    ...old.slice(old.length - end).map((text) => ` ${text}`),
  ].join("\n");
}
