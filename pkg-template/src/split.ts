/** A request taken apart into its list of messages and the envelope around it. */
import { UnsupportedFormatError } from "./errors.js";
import { isObject, shown } from "./json.js";

/** Keys under which formats keep their messages; the first that holds an array counts. */
const LISTS = ["messages", "contents", "input"] as const;

export interface Split {
  /** The very object that the caller gave. */
  readonly given: object;
  /** Whether that was the bare array of messages. */
  readonly bare: boolean;
  /** What is sent around the messages: the request itself, or for a bare array `{ messages, system, tools }`. */
  readonly envelope: object;
  /** The key of the messages in the envelope; `undefined` when it holds none. */
  readonly list: string | undefined;
  /** The messages. A copy of the list: the caller may change its own while a callback is awaited. */
  readonly messages: readonly unknown[];
}

/** @throws {UnsupportedFormatError} for what is no object. */
export function split(request: unknown, beside: { system?: unknown; tools?: unknown }): Split {
  if (!isObject(request)) {
    const what = request === null ? "null" : `a ${typeof request}`;
    const advice = typeof request === "string" ? " Parse JSON text first." : "";
    throw new UnsupportedFormatError(`A request must be an object or an array of messages, not ${what}.${advice}`);
  }
  const seen = shown(request, "");
  if (Array.isArray(seen)) {
    const { system, tools } = beside;
    return { given: request, bare: true, envelope: { messages: seen, system, tools }, list: "messages", messages: seen.slice() };
  }
  const envelope = isObject(seen) ? seen : {};
  const list = LISTS.find((key) => Array.isArray((envelope as Record<string, unknown>)[key]));
  const messages = list === undefined ? [] : (envelope as Record<string, unknown[]>)[list];
  return { given: request, bare: false, envelope, list, messages: messages?.slice() ?? [] };
}
