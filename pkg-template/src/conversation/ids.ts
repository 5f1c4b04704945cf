/** Ids of nodes and records: random, so that two writers never make the same. */
import { OptionError } from "../errors.js";

/** @throws {OptionError} where there is no source of chance. */
export function newId(): string {
  const { crypto } = globalThis;
  if (typeof crypto?.randomUUID === "function") return crypto.randomUUID();
  // A page that was not served over https has no `randomUUID`.
  if (typeof crypto?.getRandomValues !== "function") throw new OptionError("There is no `crypto.getRandomValues` here to make ids with.");
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
