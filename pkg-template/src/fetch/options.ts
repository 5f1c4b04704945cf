/** What `withCompaction` can be told. */
import type { CompactOptions, Format, Report } from "../types.js";

/** The options of `compact`, and those of the wrapper. */
export type FetchOptions = Omit<CompactOptions, "summarize"> & {
  /** As in `compact`; "same-model" asks the model that the request goes to, at the same endpoint, with the same headers. */
  summarize?: CompactOptions["summarize"] | "same-model";
  /** Recoveries of one request. Default 2. */
  retries?: number;
  /** Told of each request that was changed before it was sent, also where it could not be made to fit. What it throws is not heard. */
  onCompact?: (report: Report) => void;
  /** Told of each answer once it is complete, streamed or not. What it throws is not heard. */
  onAnswer?: (answer: Answer) => void;
};

/** An answer that is complete. */
export interface Answer {
  /** The assistant's message, as it would be sent back in the request's own format. */
  message: unknown;
  /** The provider's usage object as it came; `undefined` where it told none. */
  usage: unknown;
  /** The request as the caller made it, before anything was given up. */
  request: unknown;
}

/** A request that may be compacted, for options that are chosen by request. */
export interface AskedOf {
  url: string;
  headers: Headers;
  /** Its body, parsed. */
  body: any;
  format: Format;
}

/** Recoveries of one request, unless the caller says otherwise. */
export const RETRIES = 2;
