/** Reads the command line. */
import { parseArgs } from "node:util";
import { OptionError } from "../errors.js";
import type { Format, PageShape, Rung } from "../types.js";

export const COMMANDS = ["context", "check", "repair", "trim", "compact", "pages"] as const;
export type Command = (typeof COMMANDS)[number];

export interface Arguments {
  command: Command;
  file: string;
  model?: string;
  window?: number;
  format?: Format;
  reserve?: number;
  out?: string;
  json: boolean;
  limit: { messages?: number; exchanges?: number; tokens?: number };
  threshold?: number;
  target?: number;
  rungs?: Rung[];
  force: boolean;
  density?: "safe" | "dense";
  maxPages?: number;
  shape?: Partial<PageShape>;
}

const OPTIONS = {
  model: { type: "string" },
  window: { type: "string" },
  format: { type: "string" },
  reserve: { type: "string" },
  out: { type: "string" },
  json: { type: "boolean" },
  messages: { type: "string" },
  exchanges: { type: "string" },
  tokens: { type: "string" },
  threshold: { type: "string" },
  target: { type: "string" },
  rungs: { type: "string" },
  force: { type: "boolean" },
  density: { type: "string" },
  "max-pages": { type: "string" },
  cell: { type: "string" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

/** Options that some commands have no use for: refused there, so that nobody believes they did something. */
const ONLY: Partial<Record<keyof typeof OPTIONS, readonly Command[]>> = {
  reserve: ["context", "trim", "compact"],
  out: ["repair", "trim", "compact", "pages"],
  messages: ["trim"],
  exchanges: ["trim"],
  tokens: ["trim"],
  threshold: ["compact"],
  target: ["compact"],
  rungs: ["compact"],
  force: ["compact"],
  density: ["compact", "pages"],
  "max-pages": ["compact", "pages"],
  cell: ["compact", "pages"],
};

/** @throws {OptionError} in one line that says what to type instead. */
export function readArguments(words: string[]): Arguments | "help" | "version" {
  const { values, positionals } = parse(words);
  if (values.help) return "help";
  if (values.version) return "version";
  const [command, file, ...rest] = positionals;
  if (!isCommand(command)) throw new OptionError(`${command === undefined ? "Name a command" : `No command "${command}"`}: ${COMMANDS.join(", ")}. More by --help.`);
  if (file === undefined) throw new OptionError(`Name a file: palimpsest ${command} FILE ("-" for standard input).`);
  if (rest.length > 0) throw new OptionError(`One file at a time, not also ${rest.join(", ")}.`);
  for (const [option, commands] of Object.entries(ONLY)) {
    if (option in values && !commands.includes(command)) throw new OptionError(`--${option} is for ${commands.join(", ")}, not for ${command}.`);
  }

  const { model, format, out, rungs } = values;
  const limit = given({
    messages: whole("messages", values.messages),
    exchanges: whole("exchanges", values.exchanges),
    tokens: whole("tokens", values.tokens),
  });
  if (command === "trim" && Object.keys(limit).length === 0) throw new OptionError("trim needs --messages N, --exchanges N or --tokens N.");
  return {
    command,
    file,
    json: values.json ?? false,
    force: values.force ?? false,
    limit,
    ...given({
      model,
      out,
      window: whole("window", values.window),
      format: format as Format | undefined,
      reserve: whole("reserve", values.reserve),
      threshold: number("threshold", values.threshold),
      target: number("target", values.target),
      rungs: rungs?.split(",").map((rung) => rung.trim() as Rung),
      density: values.density as "safe" | "dense" | undefined,
      maxPages: whole("max-pages", values["max-pages"]),
      shape: cell(values.cell),
    }),
  };
}

function parse(words: string[]) {
  try {
    return parseArgs({ args: words, options: OPTIONS, allowPositionals: true });
  } catch (cause) {
    const [sentence] = cause instanceof Error ? cause.message.split(". ") : ["Options cannot be read"];
    throw new OptionError(`${sentence ?? ""}. More by --help.`, { cause });
  }
}

function isCommand(word: string | undefined): word is Command {
  return (COMMANDS as readonly (string | undefined)[]).includes(word);
}

/** A cell such as `6x12`, in pixels. */
function cell(text: string | undefined): Partial<PageShape> | undefined {
  if (text === undefined) return undefined;
  const [, cellWidth, cellHeight] = /^(\d+)[x×](\d+)$/.exec(text) ?? [];
  if (cellHeight === undefined) throw new OptionError(`--cell must be width and height in pixels, such as 6x12, not "${text}".`);
  return { cellWidth: Number(cellWidth), cellHeight: Number(cellHeight) };
}

/** A count such as `16000`, `16_000`, `16k` or `1m`. */
function whole(option: string, text: string | undefined): number | undefined {
  const value = number(option, text);
  if (value !== undefined && !Number.isSafeInteger(value)) throw new OptionError(`--${option} must be a whole number, not "${text ?? ""}".`);
  return value;
}

function number(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, digits, unit = ""] = /^(\d[\d_]*(?:\.\d+)?)([km]?)$/i.exec(text) ?? [];
  if (digits === undefined) throw new OptionError(`--${option} must be a number such as 16000, 16k or 1m, not "${text}".`);
  const factor = { "": 1, k: 1e3, m: 1e6 }[unit.toLowerCase()] ?? 1;
  return Math.round(Number(digits.replaceAll("_", "")) * factor * 1e9) / 1e9; // 1.1 × 1000 is not 1100 in floating point
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without the entries that are `undefined`. */
export function given<T extends object>(options: T): Given<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Given<T>;
}
