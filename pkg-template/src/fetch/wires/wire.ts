/** What differs between the formats of providers, as far as sending and answering go. A new format is one file and a line in `index.ts`. */
import type { Format } from "../../types.js";

/** A parsed body; nothing is known of it. */
export type Body = Record<string, any>;

/** An event of a stream. */
export interface StreamEvent {
  /** Empty when it was not named. */
  event: string;
  data: string;
}

/** The assistant's message and what it cost, as far as they are known. */
export interface Said {
  message: unknown;
  usage: unknown;
}

export interface Wire {
  format: Format;
  /** Paths at which the format is spoken. */
  path: RegExp;
  /** Whether a body at such a path is a request of the format. */
  fits(body: Body): boolean;
  /** Tokens asked for as an answer. */
  output(body: Body): number | undefined;
  /** A copy that asks for so many. */
  withOutput(body: Body, tokens: number, url: URL): Body;
  /** Fewer tokens than these cannot be asked for. */
  least(body: Body): number;
  /** What a whole answer says. */
  said(reply: Body): Said;
  /** Whether a whole answer is none, because the window was full before its first word. */
  isFull(reply: Body, window: number | undefined): boolean;
  /** Puts a streamed answer together. */
  assemble(): Assembly;
  /** The body of a refusal. A request that is too large has the code `TOO_LONG`, and is refused as the provider refuses it. */
  refusal(message: string, code: string, status: number): object;
}

/** OpenAI's code for what is too large. */
export const TOO_LONG = "context_length_exceeded";

export interface Assembly {
  /** Takes the next event. Answers true when it was the last one. */
  take(event: StreamEvent): boolean;
  /** The answer so far; `undefined` where it broke off. */
  said(): Said | undefined;
}

export const isBody = (value: unknown): value is Body => typeof value === "object" && value !== null && !Array.isArray(value);

/** The object that a text is, if it is one. */
export function parsed(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isBody(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A number above 0. */
export const positive = (value: unknown): number | undefined => (typeof value === "number" && value > 0 ? value : undefined);
