/** The worker: reads the file, compacts, and keeps both, so that the page never waits for a large session. */
import { CannotFitError, check, compact, type CompactOptions, measure, type Model, models, PalimpsestError } from "palimpsest";
import { readSession, type SessionFile } from "palimpsest/read-session";
import { entriesOf } from "./fates.js";
import { again, forget, keep, remember } from "./keep.js";
import { type Called, envelopeParts, formatOf, messagesOf, partsOf } from "./outline.js";
import type { Answer, Calls, FullPart, Opened, Question, Result, Settings } from "./protocol.js";

/** Letters of one part that the page may be asked to draw. */
const MOST = 200_000;

let session: SessionFile | undefined;
/** What the page was told of it. */
let shown: Opened | undefined;
let body: object | undefined;

type Progress = (done: number, total: number) => void;

const answers: { [K in keyof Calls]: (ask: Calls[K]["ask"], progress: Progress) => Promise<Calls[K]["answer"]> } = {
  models: async () => (await models()).map(({ id, window, vision }) => ({ id, window, vision })),

  async open({ name, file }, progress): Promise<Opened> {
    const read = await readSession(new Uint8Array(await file.arrayBuffer()), progress);
    const list = messagesOf(read.request);
    if (list.length === 0) {
      await check(read.request); // knows the formats that are not read, and says so
      throw new PalimpsestError("import-failed", "The file holds no messages.");
    }
    return begin(name, read, read.format ?? formatOf(read.request), file.size);
  },

  async keep(settings) {
    const { name, format, bytes } = shown ?? {};
    if (name !== undefined && format !== undefined && bytes !== undefined) await keep(name, opened(), format, bytes, settings);
    return null;
  },

  async again() {
    const found = await again();
    // Whoever was quicker to open a file sees that file.
    if (found === undefined || session !== undefined) return null;
    return { opened: begin(found.name, found.session, found.format, found.bytes), settings: found.settings };
  },

  async remember(settings) {
    await remember(settings);
    return null;
  },

  async forget() {
    session = shown = body = undefined;
    await forget();
    return null;
  },

  async compact({ model, window, threshold, target }: Settings): Promise<Result> {
    const { request, format } = opened();
    const asked: Model = window === undefined ? model : { id: model || "custom", window };
    const options: CompactOptions = { ...(asked !== "" && { model: asked }), ...(format && { format }) };
    const before = await measure(request, options);
    const { unfit, ...made } = await outcome(request, { ...options, threshold, target });
    body = made.body;
    const after = body === request ? before : await measure(body, options);
    const violations = await check(body, options);
    return { before, after, report: made.report, entries: entriesOf(request, body, made.report.records), violations: violations.length, ...(unfit && { unfit }) };
  },

  async message(index): Promise<FullPart[]> {
    const { request } = opened();
    const list = messagesOf(request);
    const called: Called = new Map();
    // A result is named by its call, which stands shortly before it.
    for (const message of list.slice(Math.max(0, index - 8), Math.max(0, index))) partsOf(message, called);
    const parts = index < 0 ? envelopeParts(request) : partsOf(list[index], called);
    return parts.map(({ kind, title, text, source }) => ({ kind, title, text: cut(text), ...(source && { source }) }));
  },

  async body() {
    return JSON.stringify(body ?? opened().request);
  },
};

function begin(name: string, read: SessionFile, format: Opened["format"], bytes: number): Opened {
  const { model } = read.request as { model?: unknown };
  session = read;
  body = undefined;
  shown = { name, kind: read.kind, format, model: typeof model === "string" ? model : undefined, messages: messagesOf(read.request).length, bytes, skipped: read.skipped };
  return shown;
}

/** What a call made, also when that still does not fit. */
async function outcome(request: object, options: CompactOptions): Promise<{ body: object; report: Result["report"]; unfit?: string }> {
  try {
    return await compact(request, options);
  } catch (error) {
    if (error instanceof CannotFitError) return { body: error.body as object, report: error.report, unfit: error.message };
    throw error;
  }
}

function opened(): SessionFile {
  if (session === undefined) throw new PalimpsestError("option", "Open a file first.");
  return session;
}

function cut(text: string): string {
  return text.length > MOST ? `${text.slice(0, MOST)}\n… and ${(text.length - MOST).toLocaleString("en-US")} letters more` : text;
}

function oneLine(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  const advice = error instanceof PalimpsestError && error.code === "unknown-model" ? ". Here: choose a model, or set a window." : "";
  return words.charAt(0).toUpperCase() + words.slice(1).replace(/\.?$/, advice || "$&");
}

self.addEventListener("message", async ({ data }: MessageEvent<Question>) => {
  const { id, call, ask } = data;
  const say = (answer: Answer): void => self.postMessage(answer);
  try {
    const work = answers[call] as (ask: unknown, progress: Progress) => Promise<unknown>;
    say({ id, answer: await work(ask, (done, total) => say({ id, done, total })) });
  } catch (error) {
    say({ id, error: oneLine(error), ...(error instanceof PalimpsestError && { code: error.code }) });
  }
});
