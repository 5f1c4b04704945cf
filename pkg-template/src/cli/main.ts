/** The commands. */
import { readFileSync } from "node:fs";
import { check, compact, type CompactOptions, measure, type Model, PalimpsestError, repair, trim } from "../entry/node.js";
import { CannotFitError } from "../errors.js";
import type { SessionFile } from "../read-session.js";
import type { Compacted } from "../types.js";
import { type Arguments, type Command, given, readArguments } from "./arguments.js";
import { readInput, writeWhole } from "./files.js";
import { HELP } from "./help.js";
import { draw, pagesText } from "./pages.js";
import { paperOf, plain } from "../text/paper.js";
import { compactText, contextText, repairsText, violationsText } from "./print.js";

/** Runs one command line and says with which code to exit. Whatever fails is told in one line on standard error. */
export async function main(words: string[]): Promise<0 | 1> {
  process.stdout.on("error", () => process.exit(1)); // the reader went away, as `| head` does
  try {
    const args = readArguments(words);
    if (args === "help") return say(HELP.trimEnd());
    if (args === "version") return say(version());
    if (args.command === "pages") return await drawn(args);
    return await RUN[args.command](args, await readInput(args.file));
  } catch (error) {
    process.stderr.write(`palimpsest: ${oneLine(error)}\n`);
    return 1;
  }
}

type Run = (args: Arguments, file: SessionFile) => Promise<0 | 1>;

const RUN: Record<Exclude<Command, "pages">, Run> = {
  async context(args, file) {
    const answer = await measure(file.request, optionsOf(args, file));
    return say(args.json ? json(answer) : contextText(answer, paperOf(process.stdout)));
  },

  async check(args, file) {
    const violations = await check(file.request, formatOf(args, file));
    say(args.json ? json(violations) : violationsText(violations, paperOf(process.stdout)));
    return violations.length === 0 ? 0 : 1;
  },

  async repair(args, file) {
    const { body, repairs } = await repair(file.request, formatOf(args, file));
    await deliver(args, body, { repairs });
    return args.json ? 0 : say(repairsText(repairs, paperOf(process.stdout)) || "nothing to mend");
  },

  trim: (args, file) => shrink(args, file, (options) => trim(file.request, args.limit, options)),

  compact: (args, file) =>
    shrink(args, file, (options) => {
      const { threshold, target, rungs, force, density, maxPages, shape } = args;
      const pages = given({ density, maxPages, shape });
      return compact(file.request, { ...options, force, pages, ...given({ threshold, target, rungs }) });
    }),
};

async function drawn(args: Arguments): Promise<0 | 1> {
  const { set, files } = await draw(args, args.model);
  const { pages: _, ...told } = set;
  return say(args.json ? json({ ...told, files }) : pagesText({ set, files }, args.out ?? "", paperOf(process.stdout)));
}

async function shrink(args: Arguments, file: SessionFile, call: (options: CompactOptions) => Promise<Compacted<object>>): Promise<0 | 1> {
  const options = optionsOf(args, file);
  const { body, report, failure } = await outcome(() => call(options));
  if (failure) {
    if (args.json) say(json({ error: { code: failure.code, message: failure.message }, report }));
  } else await deliver(args, body, { report });
  if (!args.json) {
    const [before, after] = [await measure(file.request, options), await measure(body, options)];
    say(compactText(report, before, after, paperOf(process.stdout)));
  }
  if (failure) throw failure;
  return 0;
}

/** What a call made, also when that still does not fit. */
async function outcome(call: () => Promise<Compacted<object>>): Promise<Compacted<object> & { failure?: CannotFitError }> {
  try {
    return await call();
  } catch (failure) {
    if (failure instanceof CannotFitError) return { body: failure.body as object, report: failure.report, failure };
    throw failure;
  }
}

/** Writes the body where it was asked for; prints the data for a program, with the body when that went nowhere else. */
async function deliver({ out, json: asJson }: Arguments, body: object, answer: object): Promise<void> {
  if (out !== undefined) await writeWhole(out, `${JSON.stringify(body)}\n`);
  if (asJson) say(json(out === undefined ? { body, ...answer } : answer));
}

function optionsOf(args: Arguments, file: SessionFile): CompactOptions {
  return { ...formatOf(args, file), ...given({ reserveOutput: args.reserve }) };
}

function formatOf(args: Arguments, file: SessionFile): Pick<CompactOptions, "format" | "model"> {
  return given({ format: args.format ?? file.format, model: modelOf(args, file) });
}

/** The model named, else the file's own; with `--window` its facts are the caller's, so that it need not be known. */
function modelOf({ model, window }: Arguments, { request }: SessionFile): Model | undefined {
  if (window === undefined) return model;
  const own = (request as { model?: unknown }).model;
  return { id: model ?? (typeof own === "string" ? own : "custom"), window };
}

function say(text: string): 0 {
  process.stdout.write(`${text}\n`);
  return 0;
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function oneLine(error: unknown): string {
  const words = plain(error instanceof Error ? error.message : String(error));
  const advice = error instanceof PalimpsestError && error.code === "unknown-model" ? " On the command line: --model M, or --window N for any model." : "";
  return words + advice;
}

function version(): string {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
  return version;
}
