/** Looks at an error, whoever threw it: as much as is needed, as plain data, and unharmed by what it finds. */
import { isObject } from "./json.js";

/** Errors within errors. */
const DEPTH = 10;
/** Values that are looked at; an ordinary error has a few dozen. */
const VALUES = 500;
/** First entries of a list, last events of a stream. */
const ITEMS = 32;
/** Letters of a text that are kept. */
const TEXT = 8 * 1024;
/** Letters of a text that is parsed when it is JSON. */
const PARSED = 1024 * 1024;

/** The named fields of a value, at every depth, whether they are enumerable or not. JSON within texts is parsed. */
export function glance(value: unknown, fields: readonly string[]): unknown {
  return new Glance(fields).at(value, 0);
}

/** What a call gives, or nothing when it throws. */
export function attempt<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch {
    return undefined;
  }
}

class Glance {
  #left = VALUES;
  readonly #seen = new Set<object>();

  constructor(readonly fields: readonly string[]) {}

  at(value: unknown, depth: number): unknown {
    if (this.#left-- <= 0) return undefined;
    if (typeof value === "string") return this.#text(value, depth);
    if (typeof value === "number") return value;
    if (typeof value === "bigint") return Number(value);
    if (!isObject(value) || depth > DEPTH || this.#seen.has(value)) return undefined;
    this.#seen.add(value);
    const list = attempt(() => (Array.isArray(value) ? Array.from(value.slice(0, ITEMS)) : undefined));
    return list ? list.map((item) => this.at(item, depth + 1)) : this.#object(value, depth);
  }

  #object(object: object, depth: number): Record<string, unknown> {
    const said: Record<string, unknown> = {};
    for (const field of this.fields) {
      const value = this.at(attempt(() => (object as Record<string, unknown>)[field]), depth + 1);
      if (value !== undefined) said[field] = value;
    }
    return said;
  }

  #text(text: string, depth: number): unknown {
    const begin = text.slice(0, 64).trimStart();
    if (text.length <= PARSED && depth <= DEPTH) {
      const parsed = /^[{[]/.test(begin) ? attempt(() => JSON.parse(text) as unknown) : events(text, begin);
      const said = isObject(parsed) ? this.at(parsed, depth + 1) : undefined;
      // A body with no field that is known speaks for itself.
      if (isObject(said) && Object.keys(said).length > 0) return said;
    }
    return text.slice(0, TEXT);
  }
}

/** The last events of a stream that was read whole. */
function events(text: string, begin: string): unknown[] | undefined {
  if (!/^(event|data|id|retry)?:/.test(begin)) return undefined;
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.startsWith("data:"));
  const data = lines.slice(-ITEMS).map((line) => attempt(() => JSON.parse(line.slice(5)) as unknown));
  const found = data.filter(isObject);
  return found.length > 0 ? found : undefined;
}
