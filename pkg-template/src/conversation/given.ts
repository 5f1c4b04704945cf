/** What callers give, looked at before anything is changed. */
import { OptionError, PalimpsestError, shortened } from "../errors.js";
import { isObject } from "../json.js";
import { inlineBlobs } from "../stores/blobs.js";
import { nodeFault } from "../stores/change.js";
import { plain } from "../stores/plain.js";
import type { Node } from "../stores/store.js";

/** Options; none where none are given. A text in their place would be lost without a word. @throws {OptionError} */
export function optionsIn<T extends object>(given: T | undefined): Partial<T> {
  if (given === undefined) return {};
  if (!isObject(given) || Array.isArray(given)) throw new OptionError("Options must be an object.");
  return given;
}

/** What is wrong with a node; also an id that UTF-8 cannot say, since the core would know it by another. `undefined`: nothing. */
export function strange(node: unknown): string | undefined {
  const fault = nodeFault(node);
  if (fault !== undefined) return fault;
  const { id, parent } = node as Node;
  return [id, parent ?? ""].every((name) => writable(name) === name) ? undefined : `the id of node ${shortened(id)}, or of the one it follows, holds half a letter (a lone surrogate)`;
}

/** @throws {OptionError} for an id that UTF-8 cannot say. */
export function checkId(id: unknown): void {
  if (typeof id !== "string" || writable(id) !== id) throw new OptionError("The id of a message is a text without half letters (lone surrogates).");
}

/** An id as UTF-8 says it, which has no half letters. */
export function writable(id: string): string {
  return id.replace(/\p{Surrogate}/gu, "\ufffd");
}

/** @throws {OptionError} for what no store could keep: a message with it could never be committed, nor what follows it. */
export function checkMeta(meta: unknown): void {
  try {
    const [node] = inlineBlobs([{ id: "", parent: null, at: 0, message: {}, meta }]);
    plain(node?.meta, "The `meta` of a message");
  } catch (cause) {
    throw cause instanceof PalimpsestError ? cause : new OptionError(`The \`meta\` of a message cannot be read: ${String(cause)}`, { cause });
  }
}
