/** Whether two messages say the same as JSON. */
import { bytesOf, isObject, shown, unsaid } from "../json.js";

/** Nesting of a message that is accepted. */
const DEEPEST = 512;

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

type Fields = Record<string, unknown>;

function keysOf(object: object): string[] {
  return Object.keys(object).filter((key) => Array.isArray(object) || !unsaid((object as Fields)[key]));
}
