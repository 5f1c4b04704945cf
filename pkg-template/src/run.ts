/** One call of the package: the request crosses once, the job is driven to its end, and the core's memory is freed. */
import { Job } from "./core.js";
import { applyEdits, type Edits } from "./edits.js";
import { OptionError } from "./errors.js";
import { hostOf, offered } from "./host.js";
import { drive, type Host, inCore } from "./job.js";
import { isObject } from "./json.js";
import { init } from "./load.js";
import { modelSaid } from "./models.js";
import { type Split, split } from "./split.js";
import { reading, TapeWriter } from "./tape.js";
import type { CompactOptions } from "./types.js";

export type Op = "compact" | "measure" | "check" | "repair" | "trim" | "restore" | "pages";

/** What the core answered, and how to make its edits to the caller's request. */
export interface Outcome<Done> {
  done: Done;
  apply(edits: Edits): object;
}

/**
 * @param more what the call was given beside its options: the limit of `trim`, the reference of `restore`, the text of `pages`.
 * @param host what of the host is not to be found in the options.
 */
export async function run<Done>(
  op: Op,
  request: object,
  options: CompactOptions = {},
  more: object = {},
  host: Partial<Host> = {},
): Promise<Outcome<Done>> {
  if (!isObject(options)) throw new OptionError("Options must be an object.");
  const { signal } = options;
  signal?.throwIfAborted();
  await init();
  const parts = reading(() => split(request, options));
  const writer = new TapeWriter();
  const job = begin(op, parts, said(options, more), writer);
  try {
    feed(job, parts.messages, writer);
    lend(job, options.pages?.fonts);
    writer.release();
    const done = (await drive(job, { ...hostOf(parts, options), ...host }, signal)) as Done;
    return { done, apply: (edits) => applyEdits(parts, edits) };
  } finally {
    free(job);
  }
}

function begin(op: Op, request: Split, options: object, writer: TapeWriter): Job {
  const tape = reading(() => writer.value(options)).slice(); // the next tape is written over it
  const envelope = reading(() => writer.envelope(request.envelope, request.list, request.messages.length));
  return inCore(() => new Job(op, envelope, tape));
}

function feed(job: Job, messages: readonly unknown[], writer: TapeWriter): void {
  messages.forEach((message, index) => {
    const tape = reading(() => writer.message(message, index));
    inCore(() => job.push(tape));
  });
}

function lend(job: Job, fonts?: readonly Uint8Array[]): void {
  for (const font of fontsOf(fonts)) inCore(() => job.font(font));
}

/** @throws {OptionError} for what are no fonts. */
export function fontsOf(fonts: readonly Uint8Array[] = []): readonly Uint8Array[] {
  if (!Array.isArray(fonts) || !fonts.every((font) => font instanceof Uint8Array)) {
    throw new OptionError("The option `fonts` must be a list of Uint8Array, each a TrueType or OpenType font.");
  }
  return fonts;
}

/** The options as they cross. Functions are left out by the tape; here goes what would cross as an empty shell, and what the envelope holds. */
export function said(options: CompactOptions, more: object): object {
  const { signal, memo, system, tools, model, summaryModel, pages, ...rest } = options;
  return {
    ...rest,
    ...(model !== undefined && { model: modelSaid(model) }),
    ...(summaryModel !== undefined && { summaryModel: modelSaid(summaryModel) }),
    ...(pages !== undefined && { pages: { ...pages, fonts: undefined, signal: undefined, model: modelSaid(pages.model) } }),
    has: offered(options),
    ...more,
  };
}

function free(job: Job): void {
  try {
    job.free();
  } catch {
    // After a trap the job is lost already, and the error of that trap is the one to tell.
  }
}
