/** `palimpsest pages`: draws a file as pages, into a folder. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Model, type PageOptions, pages, type PageSet } from "../entry/node.js";
import { OptionError } from "../errors.js";
import { type Arguments, given } from "./arguments.js";
import { readInput, readText, writeWhole } from "./files.js";
import { amount, count, paint, type Paper, table } from "../text/paper.js";

/** The conversation in a JSON or JSONL file, else the file's text. */
export async function pagesOf({ file }: Arguments): Promise<string | object> {
  return /\.jsonl?$|^-$/i.test(file) ? (await readInput(file)).request : readText(file);
}

/** Draws, and writes `page-01.png`, … and `facts.txt`. */
export async function draw(args: Arguments, model: Model | undefined): Promise<{ set: PageSet; files: string[] }> {
  const { out, density, maxPages, shape } = args;
  if (out === undefined) throw new OptionError("pages needs --out DIR, the folder in which the pages are written.");
  const options: PageOptions = given({ model, density, maxPages, shape });
  const set = await pages(await pagesOf(args), options);
  await mkdir(out, { recursive: true });
  const digits = Math.max(2, String(set.pages.length).length);
  const files = set.pages.map((_, index) => join(out, `page-${String(index + 1).padStart(digits, "0")}.png`));
  for (const [index, { png }] of set.pages.entries()) await writeWhole(files[index] as string, png);
  await writeWhole(join(out, "facts.txt"), set.facts.map((fact) => `${fact}\n`).join(""));
  return { set, files };
}

/** A line a page, and what it comes to. */
export function pagesText({ set, files }: { set: PageSet; files: string[] }, out: string, paper: Paper): string {
  const { shape, tokens, textTokens, facts, unrenderable } = set;
  const rows = set.pages.map(({ width, height, chars, tokens, png }, index) => [
    files[index]?.slice(out.length).replace(/^[\\/]/, "") ?? "",
    `${width} × ${height}`,
    `${count(chars)} letters`,
    `${count(tokens)} tokens`,
    `${count(png.length)} B`,
  ]);
  const saved = textTokens > 0 ? Math.round((100 * (textTokens - tokens)) / textTokens) : 0;
  const verdict = saved > 0 ? paint(paper, "green", `saves ${saved}%`) : paint(paper, "yellow", "saves nothing");
  return [
    `${paint(paper, "bold", shape.font)} in cells of ${shape.cellWidth} × ${shape.cellHeight}, ${shape.columns} × ${shape.rows} letters a page`,
    table(rows),
    [
      `${amount(facts.length, "exact string")} in facts.txt`,
      ...(unrenderable > 0 ? [`${(100 * unrenderable).toFixed(2)}% of the letters are drawn by no font here`] : []),
      `${count(tokens)} tokens as pages, ${count(textTokens)} as text: ${verdict}`,
    ].join("\n"),
  ].join("\n\n");
}
