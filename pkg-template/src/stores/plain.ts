/** Copies of values as JSON says them, made of new objects throughout. */
import { OptionError } from "../errors.js";
import { bytesOf, isObject, put, shown, unsaid } from "../json.js";

/** Nesting that is stored: what a message may have (512), and room for what the layout puts around it. */
const DEEPEST = 1_100;

/**
 * `value` as it would come back from `JSON.parse(JSON.stringify(value))`, strings shared. Every store keeps this and nothing else, so all
 * give back the same. `where` names it in errors.
 * @throws {OptionError} for bytes (JSON has none: `splitBlobs` sets them apart), a bigint, nesting that is too deep, a `toJSON` that throws.
 */
export function plain(value: unknown, where: string): unknown {
  try {
    return copy(value, "", 0, where);
  } catch (cause) {
    if (cause instanceof OptionError) throw cause;
    throw new OptionError(`${where} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

function copy(given: unknown, key: string | number, depth: number, where: string): unknown {
  const value = shown(given, key);
  if (typeof value === "number") return Number.isFinite(value) ? value || 0 : null; // −0 is 0 in JSON
  if (typeof value === "bigint") throw new OptionError(`${where} holds a bigint, which JSON cannot say: make it a number or a string.`);
  if (!isObject(value)) return value;
  if (depth >= DEEPEST) throw new OptionError(`${where} is nested too deep to be stored.`);
  if (Array.isArray(value)) {
    return value.map((item, index) => {
      const part = copy(item, index, depth + 1, where);
      return unsaid(part) ? null : part;
    });
  }
  if (bytesOf(value)) throw new OptionError(`${where} holds bytes, which JSON cannot say: set them apart with splitBlobs.`);
  const object = {};
  for (const name of Object.keys(value)) {
    const part = copy((value as Record<string, unknown>)[name], name, depth + 1, where);
    if (!unsaid(part)) put(object, name, part);
  }
  return object;
}

/** A copy of what `plain` made, which needs no second look. */
export function copied<T>(value: T): T {
  if (!isObject(value)) return value;
  if (Array.isArray(value)) return value.map(copied) as T;
  const copy: object = { ...value };
  for (const name of Object.keys(copy)) {
    const part = (copy as Record<string, unknown>)[name];
    if (isObject(part)) put(copy, name, copied(part));
  }
  return copy as T;
}
