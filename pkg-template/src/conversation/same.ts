/** What two messages say, compared as JSON. */
import { bytesOf, isObject, shown, unsaid } from "../json.js";

/** Nesting of a message that is accepted. */
const DEEPEST = 512;

/** Whether they say the same. */
export function same(one: unknown, other: unknown, depth = 0): boolean {
  if (one === other) return true;
  const [a, b] = [shown(one, ""), shown(other, "")];
  if (!isObject(a) || !isObject(b)) return a === b || (a !== a && b !== b);
  if (depth > DEEPEST || Array.isArray(a) !== Array.isArray(b)) return false;
  const [bytes, others] = [bytesOf(a), bytesOf(b)];
  if (bytes || others) return bytes?.length === others?.length && !!bytes?.every((byte, index) => byte === others?.[index]);
  const keys = keysOf(a);
  return keys.length === keysOf(b).length && keys.every((key) => Object.hasOwn(b, key) && same((a as Fields)[key], (b as Fields)[key], depth + 1));
}

/** Whether a message says all that another does, in its place, and perhaps more: texts go on, lists and tables have more in them. */
export function goesOn(one: unknown, other: unknown, depth = 0): boolean {
  const [a, b] = [shown(one, ""), shown(other, "")];
  if (a === null || a === undefined) return true;
  if (typeof a === "string") return typeof b === "string" && b.startsWith(a);
  if (!isObject(a) || !isObject(b) || bytesOf(a)) return same(a, b, depth);
  if (depth > DEEPEST || Array.isArray(a) !== Array.isArray(b)) return false;
  return keysOf(a).every((key) => Object.hasOwn(b, key) && goesOn((a as Fields)[key], (b as Fields)[key], depth + 1));
}

type Fields = Record<string, unknown>;

function keysOf(object: object): string[] {
  return Object.keys(object).filter((key) => Array.isArray(object) || !unsaid((object as Fields)[key]));
}
