/** What the page and its worker say to each other. */
import type { Format, Measure, Report } from "palimpsest";

export interface Settings {
  model: string;
  /** The caller's own window; without it the model's. */
  window?: number;
  threshold: number;
  target: number;
}

/** A question, its answer. */
export interface Calls {
  models: { ask: null; answer: Pick[] };
  open: { ask: { name: string; file: Blob }; answer: Opened };
  compact: { ask: Settings; answer: Result };
  /** All the words of one message of the input. */
  message: { ask: number; answer: FullPart[] };
  /** The result as it would be posted. */
  body: { ask: null; answer: string };
  /** Keeps what is open for the next visit, instead of what was kept before. */
  keep: { ask: Settings; answer: null };
  /** What was kept at the last visit is open again; `null`: nothing was. */
  again: { ask: null; answer: Again | null };
  /** Keeps other settings with what is kept. */
  remember: { ask: Settings; answer: null };
  forget: { ask: null; answer: null };
}

/** A model as the picker shows it. */
export interface Pick {
  id: string;
  window: number;
  vision: boolean;
}

export interface Opened {
  name: string;
  kind: "request" | "messages" | "claude-code";
  format: Format;
  model: string | undefined;
  messages: number;
  bytes: number;
  /** Lines of a session that took no part. */
  skipped: number;
}

export interface Again {
  opened: Opened;
  settings: Settings;
}

export interface Result {
  before: Measure;
  after: Measure;
  report: Report;
  entries: Entry[];
  /** Rules of the format that the result breaks. */
  violations: number;
  /** Why it still does not fit. */
  unfit?: string;
}

/** A line of the timeline: a message of the input, pages that stand for messages, or words that stand where some were left out. */
export type Entry = MessageEntry | LaidPages | { kind: "marker"; text: string };

/** Pages that were laid in one place. */
export interface LaidPages {
  kind: "pages";
  /** How many messages they stand for, and how many of those, the oldest, are on none of them. */
  messages: number;
  leftOut: number;
  pages: PageView[];
  /** The exact strings that are sent beside them. */
  facts: string[];
}

/** A page: its address, and its sides in pixels. */
export interface PageView {
  source: string;
  width: number;
  height: number;
}

export interface MessageEntry {
  kind: "message";
  /** Place in the input; −1 for the system prompt and the tools beside the messages. */
  index: number;
  role: string;
  fate: "kept" | "changed" | "drawn" | "dropped";
  parts: PartView[];
}

export type PartKind = "text" | "reasoning" | "call" | "result" | "image" | "system" | "other";

/** A part in short. */
export interface PartView {
  kind: PartKind;
  title: string;
  preview: string;
  /** Letters; pictures count as much as their price in words. */
  length: number;
  error: boolean;
  /** `now`: what stands there instead. */
  fate: "kept" | "replaced" | "gone";
  now?: string;
}

export interface FullPart {
  kind: PartKind;
  title: string;
  text: string;
  /** A picture's address, when the file holds its bytes. */
  source?: string;
}

export type Question = { [K in keyof Calls]: { id: number; call: K; ask: Calls[K]["ask"] } }[keyof Calls];
export type Answer = { id: number; answer: unknown } | { id: number; error: string; code?: string } | { id: number; done: number; total: number };
