/** What is printed on: how wide it is, and whether it takes colours. Text from files is made harmless here. */

export type Ink = "red" | "green" | "yellow" | "blue" | "magenta" | "cyan" | "white" | "gray" | "orange" | "violet" | "bold";

const CODES: Record<Ink, string> = {
  red: "31",
  green: "32",
  yellow: "33",
  blue: "34",
  magenta: "35",
  cyan: "36",
  white: "37",
  gray: "90",
  orange: "38;5;208",
  violet: "38;5;141",
  bold: "1",
};

export interface Paper {
  /** Columns. */
  readonly width: number;
  readonly colour: boolean;
}

/** The paper behind a stream. Colours on terminals only, and not when NO_COLOR is set. */
export function paperOf(stream: NodeJS.WriteStream): Paper {
  const width = Math.min(Math.max(stream.columns || 80, 40), 120);
  return { width, colour: stream.isTTY === true && !process.env["NO_COLOR"] };
}

export function paint(paper: Paper, ink: Ink, text: string): string {
  return paper.colour && text !== "" ? `\x1b[${CODES[ink]}m${text}\x1b[0m` : text;
}

/** One line, nothing in it that a terminal would obey. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ").trim();
}

/** Cut to a number of columns; letters of East Asia take two. */
export function clip(text: string, columns: number): string {
  let used = 0;
  let kept = "";
  for (const letter of text) {
    used += isWide(letter.codePointAt(0) ?? 0) ? 2 : 1;
    if (used > columns) return `${kept.slice(0, -1)}…`;
    kept += letter;
  }
  return kept;
}

function isWide(code: number): boolean {
  return (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) || (code >= 0xfe30 && code <= 0xfe6f)
    || (code >= 0xff00 && code <= 0xff60) || (code >= 0x1f300 && code <= 0x1faff) || code >= 0x20000;
}

/** Broken into lines at spaces; each but the first starts with `indent` spaces. */
export function wrap(text: string, width: number, indent: number): string {
  const lines: string[] = [];
  let line = "";
  for (const word of plain(text).split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width - indent) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${" ".repeat(indent)}`);
}

/** Columns set straight: the first to the left, figures to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const cell = (text: string, column: number): string => (column === 0 ? text.padEnd(width(0)) : text.padStart(width(column)));
  return rows.map((row) => `  ${row.map(cell).join("   ")}`).join("\n");
}

/** 1234567 as 1,234,567. */
export function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

/** "1 message", "2 messages". */
export function amount(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}
