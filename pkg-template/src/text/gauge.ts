/** The gauge: what fills a context window, as a bar with its legend. */
import type { Measure } from "../types.js";
import { amount, clip, count, type Ink, paint, type Paper, plain } from "./paper.js";

type Part = keyof Measure["parts"];

/** Order along the bar; the letter stands for the colour where there is none. */
const PARTS: readonly { part: Part; name: string; letter: string; ink: Ink }[] = [
  { part: "system", name: "system", letter: "S", ink: "blue" },
  { part: "tools", name: "tools", letter: "T", ink: "cyan" },
  { part: "text", name: "text", letter: "t", ink: "green" },
  { part: "reasoning", name: "reasoning", letter: "r", ink: "violet" },
  { part: "calls", name: "calls", letter: "c", ink: "yellow" },
  { part: "results", name: "results", letter: "#", ink: "orange" },
  { part: "images", name: "images", letter: "i", ink: "magenta" },
  { part: "pages", name: "pages", letter: "p", ink: "red" },
  { part: "summary", name: "summary", letter: "s", ink: "white" },
  { part: "overhead", name: "overhead", letter: "o", ink: "gray" },
];

/** Who is asked, how full it is, the bar, and what is left. `title` goes before; `scale`: tokens that the whole bar stands for. */
export function gauge(measure: Measure, paper: Paper, { title = plain(measure.model), scale = scaleOf(measure) } = {}): string {
  const { tokens, window, fill, messages, images, reserve, free, thresholdTokens } = measure;
  const percent = `${Math.round(100 * fill)}%`;
  const contents = [amount(messages, "message"), ...(images > 0 ? [amount(images, "picture")] : [])].join(", ");
  return [
    `${paint(paper, "bold", title)}  ${count(tokens)} of ${count(window)} tokens (${percent}), ${contents}`,
    bar(measure, paper, scale),
    paint(paper, "gray", `acts at ${count(thresholdTokens)} (|), ${count(reserve)} kept for the answer, ${count(free)} free`),
  ].join("\n");
}

/** A bar reaches to the end of the window, or further when the request does. */
export function scaleOf(...measures: Measure[]): number {
  return Math.max(1, ...measures.flatMap(({ window, tokens }) => [window, tokens]));
}

/** The parts in colours, the free rest as dots; `|` where it acts, `]` where the window ends. */
export function bar(measure: Measure, paper: Paper, scale: number): string {
  const width = paper.width - 2;
  const column = (tokens: number): number => Math.min(width, Math.round((tokens / scale) * width));
  const cells: Cell[] = [];
  let sum = 0;
  for (const { part, letter, ink } of PARTS) {
    sum += measure.parts[part];
    while (cells.length < column(sum)) cells.push({ mark: paper.colour ? "█" : letter, ink });
  }
  const end = column(measure.window);
  while (cells.length < width) cells.push({ mark: cells.length < end ? "·" : " ", ink: "gray" });
  const act = column(measure.thresholdTokens);
  if (act < width) cells[act] = { mark: "|", ink: "bold" };
  if (end < width) cells[end] = { mark: "]", ink: "bold" };
  return `[${printed(cells, paper)}${end < width ? " " : "]"}`;
}

interface Cell {
  mark: string;
  ink: Ink;
}

/** Neighbours of one colour are painted in one stroke. */
function printed(cells: readonly Cell[], paper: Paper): string {
  let line = "";
  for (let start = 0, end = 0; start < cells.length; start = end) {
    const ink = cells[start]?.ink ?? "gray";
    while (cells[end]?.ink === ink) end++;
    line += paint(paper, ink, cells.slice(start, end).map(({ mark }) => mark).join(""));
  }
  return line;
}

/** A line a part: its colour, tokens, and share of the request. With `after` what has become of it, too. */
export function legend(measure: Measure, paper: Paper, after?: Measure): string {
  const rows = PARTS.filter(({ part }) => measure.parts[part] > 0 || (after?.parts[part] ?? 0) > 0);
  return rows
    .map(({ part, name, letter, ink }) => {
      const tokens = measure.parts[part];
      const mark = paint(paper, ink, paper.colour ? "█" : letter);
      const figures = after ? [tokens, after.parts[part]] : [tokens];
      const share = after ? "" : `${Math.round((100 * tokens) / Math.max(1, measure.tokens))}%`.padStart(6);
      return `  ${mark} ${name.padEnd(10)}${figures.map((figure) => count(figure).padStart(11)).join("  →")}${share}`;
    })
    .join("\n");
}

/** The dearest parts, dearest first. */
export function largest(measure: Measure, paper: Paper): string {
  const lines = measure.largest.map(({ index, tokens, what }) => {
    const place = index < 0 ? "request" : `message ${index}`;
    return clip(`  ${count(tokens).padStart(9)}  ${place.padEnd(14)} ${plain(what)}`, paper.width);
  });
  return lines.length === 0 ? "" : [paint(paper, "bold", "largest"), ...lines].join("\n");
}
