/**
 * Reads a file that holds a conversation: a request body, a bare array of messages, or the session of an agent, one record a line.
 * Not part of the public package: the command line and the demo page use it.
 */
import { asClaudeCode, looksRecorded } from "./claude-code.js";
import { PalimpsestError } from "./errors.js";
import { faultOf } from "./fault.js";
import { isObject } from "./json.js";
import type { Format } from "./types.js";

export interface SessionFile {
  kind: "request" | "messages" | "claude-code";
  /** The conversation as it would be posted. */
  request: object;
  /** Told where the kind of the file tells it. */
  format?: Format;
  /** Records of a session, and how many of them were no JSON object or took no part. */
  lines: number;
  skipped: number;
}

/** Told how many bytes of the file are read. */
export type Progress = (done: number, total: number) => void;

/** Bytes read between two looks at the clock. */
const STRIDE = 1 << 20;
/** Milliseconds after which the event loop gets a turn: a page stays alive. */
const PATIENCE = 30;
/** Lines that are tried before a file is held to be no session. */
const TRIED = 50;

/**
 * The conversation in a file. UTF-8 or UTF-16, with or without byte order mark.
 *
 * Rejects with code "import-failed": the text is no JSON (the message says where), or holds no conversation.
 */
export async function readSession(file: Uint8Array | string, onProgress?: Progress): Promise<SessionFile> {
  const bytes = asUtf8(file);
  if (isSession(bytes)) return asClaudeCode(await readLines(bytes, onProgress));
  const text = await decode(bytes, onProgress);
  return ofDocument(parse(text));
}

function ofDocument(value: unknown): SessionFile {
  if (Array.isArray(value)) return { kind: "messages", request: value, lines: 0, skipped: 0 };
  if (isObject(value)) return { kind: "request", request: value, lines: 0, skipped: 0 };
  throw failed(`The file holds ${value === null ? "null" : `a ${typeof value}`}, not a request.`);
}

function parse(text: string): unknown {
  if (text.trim() === "") throw failed("The file is empty.");
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { line, column, what } = faultOf(text);
    throw failed(`Broken JSON at line ${line}, column ${column}: ${what}.`, cause);
  }
}

function failed(message: string, cause?: unknown): PalimpsestError {
  return new PalimpsestError("import-failed", message, { cause });
}

/** The file's text in UTF-8, its byte order mark left to the decoder. */
function asUtf8(file: Uint8Array | string): Uint8Array {
  if (typeof file === "string") return new TextEncoder().encode(file);
  const mark = (file[0] ?? 0) * 256 + (file[1] ?? 0);
  const other = mark === 0xfffe ? "utf-16le" : mark === 0xfeff ? "utf-16be" : undefined;
  return other === undefined ? file : new TextEncoder().encode(new TextDecoder(other).decode(file));
}

/** Whether one of the first lines is a record by itself. */
function isSession(bytes: Uint8Array): boolean {
  let tried = 0;
  for (const [line] of linesOf(bytes)) {
    if (looksRecorded(objectIn(line))) return true;
    if (++tried === TRIED) break;
  }
  return false;
}

async function readLines(bytes: Uint8Array, onProgress: Progress | undefined): Promise<(object | null)[]> {
  const records: (object | null)[] = [];
  const pause = pauses();
  for (const [line, end] of linesOf(bytes)) {
    records.push(objectIn(line));
    if (await pause(end)) onProgress?.(end, bytes.length);
  }
  onProgress?.(bytes.length, bytes.length);
  return records;
}

/** Lines that are not blank, each with the offset at which it ends. */
function* linesOf(bytes: Uint8Array): Generator<[string, number]> {
  const decoder = new TextDecoder();
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found;
    const line = decoder.decode(bytes.subarray(start, end));
    if (line.trim() !== "") yield [line, end];
    start = end + 1;
  }
}

function objectIn(line: string): object | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

async function decode(bytes: Uint8Array, onProgress: Progress | undefined): Promise<string> {
  const decoder = new TextDecoder();
  const pause = pauses();
  let text = "";
  for (let at = 0; at < bytes.length; at += STRIDE) {
    text += decoder.decode(bytes.subarray(at, at + STRIDE), { stream: true });
    const done = Math.min(at + STRIDE, bytes.length);
    if (await pause(done)) onProgress?.(done, bytes.length);
  }
  onProgress?.(bytes.length, bytes.length);
  return text + decoder.decode();
}

/** Gives the event loop a turn now and then; tells whether it looked at the clock. */
function pauses(): (done: number) => Promise<boolean> {
  let looked = 0;
  let rested = performance.now();
  return async (done) => {
    if (done - looked < STRIDE) return false;
    looked = done;
    if (performance.now() - rested > PATIENCE) {
      await new Promise((resolve) => setTimeout(resolve));
      rested = performance.now();
    }
    return true;
  };
}
