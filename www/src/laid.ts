/** Pages in a result: told from other pictures by the words that the package puts around them. */
import type { Part } from "./outline.js";
import type { LaidPages, PageView } from "./protocol.js";

const BEFORE = "[palimpsest: what was said before, drawn as pages";
const AFTER = "[palimpsest: the pages above stand for ";

/** A message's parts without the pages in it, and those. */
export function takePages(parts: readonly Part[]): { laid: LaidPages[]; rest: Part[] } {
  const laid: LaidPages[] = [];
  const rest: Part[] = [];
  for (let at = 0; at < parts.length; at++) {
    const after = parts[at]!.text.startsWith(BEFORE) ? parts.findIndex(({ text }, index) => index > at && text.startsWith(AFTER)) : -1;
    if (after < 0) {
      rest.push(parts[at]!);
      continue;
    }
    laid.push(read(parts.slice(at, after + 1)));
    at = after;
  }
  return { laid, rest };
}

function read(parts: readonly Part[]): LaidPages {
  const sheet = parts.at(-1)!.text;
  const [, ...facts] = sheet.split("\n");
  return {
    kind: "pages",
    messages: numberIn(sheet, /stand for (\d+) message/),
    leftOut: numberIn(parts[0]!.text, /\n\[palimpsest: (\d+) earlier message/),
    pages: parts.flatMap(({ source }) => (source === undefined ? [] : [{ source, ...sizeOf(source) }])),
    facts,
  };
}

function numberIn(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1] ?? 0);
}

/** Width and height out of a PNG's head (bytes 16 to 23). */
function sizeOf(source: string): Omit<PageView, "source"> {
  const head = atob(source.slice(source.indexOf(",") + 1).slice(0, 32));
  const side = (at: number): number => [0, 1, 2, 3].reduce((sum, i) => sum * 256 + head.charCodeAt(at + i), 0);
  return { width: side(16), height: side(20) };
}
