/** Applies the core's edits to the caller's own objects, copying only along the paths that change (`docs/boundary.md`, "Edits"). */
import { isObject, put, shown } from "./json.js";
import type { Split } from "./split.js";

/** Keys and indexes from a message down to a value. */
export type Path = readonly (string | number)[];
/** Values to be put at paths. */
export type Replacements = readonly (readonly [Path, Template])[];
/** A value of the result: written out, the caller's own (message and path; with `set` a copy of it with values replaced), or put together
 *  from such. */
export type Template =
  | { lit: unknown }
  | { ref: readonly [number, ...Path]; set?: Replacements }
  | { list: readonly Template[] }
  | { obj: Readonly<Record<string, Template>> };
/** A message of the result: the input's own, a copy with values replaced, or a new one. */
export type Item = number | { base: number; set: Replacements } | { new: Template };
/** `null`: the very request that came in. */
export type Edits = null | { messages: readonly Item[] };

/** The request with the edits applied, in the shape in which it came. */
export function applyEdits(request: Split, edits: Edits): object {
  if (edits === null) return request.given;
  const messages = edits.messages.map((item) => messageOf(request.messages, item));
  if (request.bare) return messages;
  const body = copyOf(request.envelope);
  if (request.list !== undefined) put(body, request.list, messages);
  return body;
}

/** What stands at the end of a path, as JSON sees it; `undefined` where the path leads nowhere. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = shown(root, "");
  for (const key of path) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = shown((value as Record<string | number, unknown>)[key], key);
  }
  return value;
}

function messageOf(messages: readonly unknown[], item: Item): unknown {
  if (typeof item === "number") return messages[item];
  if ("new" in item) return build(messages, item.new);
  return edited(messages, messages[item.base], item.set);
}

/** The value that a template describes. */
export function build(messages: readonly unknown[], template: Template): unknown {
  if ("lit" in template) return template.lit;
  if ("ref" in template) {
    const [index, ...path] = template.ref;
    return edited(messages, valueAt(messages[index], path), template.set ?? []);
  }
  if ("list" in template) return template.list.map((part) => build(messages, part));
  const object = {};
  for (const [key, part] of Object.entries(template.obj)) put(object, key, build(messages, part));
  return object;
}

/** `root`, copied along each path, with the value there replaced. */
function edited(messages: readonly unknown[], root: unknown, set: Replacements): unknown {
  const copies = new Set<object>();
  let result = root;
  for (const [path, template] of set) result = replace(result, path, 0, build(messages, template), copies);
  return result;
}

/** `node` with the value at `path` (from step `at` on) replaced. `copies` are the objects made here: they need no second copy. */
function replace(node: unknown, path: Path, at: number, value: unknown, copies: Set<object>): unknown {
  const key = path[at];
  if (key === undefined) return value;
  const seen = shown(node, path[at - 1] ?? "");
  if (!isObject(seen)) throw new TypeError(`an edit leads through something that is no object, at ${path.slice(0, at).join(".")}`);
  const copy = copies.has(seen) ? seen : copyOf(seen);
  copies.add(copy);
  const child: unknown = Object.hasOwn(copy, key) ? (copy as Record<string | number, unknown>)[key] : undefined;
  put(copy, key, replace(child, path, at + 1, value, copies));
  return copy;
}

/** A copy one level deep. Spreading keeps own keys of any name, `__proto__` too; an object of a class stays one of that class. */
function copyOf(object: object): object {
  if (Array.isArray(object)) return object.slice();
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype === Object.prototype) return { ...object };
  return Object.defineProperties(Object.create(prototype as object | null) as object, Object.getOwnPropertyDescriptors({ ...object }));
}
