/**
 * What `JSON.stringify` would see of a value: `toJSON` called, boxed primitives opened. Bytes stay bytes, also where they have a `toJSON`
 * (a Node Buffer would become an array of numbers). The tape, the edits and the paths all look through this one function, so that a path
 * the core names leads to the same place in the caller's objects.
 */
export function shown(value: unknown, key: string | number): unknown {
  if (value === null) return value;
  const type = typeof value;
  if (type !== "object" && type !== "bigint" && type !== "function") return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  const plain = prototype === Object.prototype || prototype === Array.prototype;
  if (plain && (value as { toJSON?: unknown }).toJSON === undefined) return value;
  return bytesOf(value) ? value : opened(value, key);
}

/** The bytes of a typed array, a DataView or an ArrayBuffer, not copied; `undefined` for anything else. */
export function bytesOf(value: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) {
    // A view of a detached buffer has no bytes, and none may be asked of it.
    return value.byteLength === 0 ? new Uint8Array() : new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  if (value instanceof ArrayBuffer) return value.byteLength === 0 ? new Uint8Array() : new Uint8Array(value);
  return undefined;
}

function opened(value: unknown, key: string | number): unknown {
  const { toJSON } = value as { toJSON?: unknown };
  const result: unknown = typeof toJSON === "function" ? toJSON.call(value, String(key)) : value;
  if (result instanceof String || result instanceof Number || result instanceof Boolean || result instanceof BigInt) {
    return result.valueOf();
  }
  return result;
}

/** Whether `JSON.stringify` leaves this out of an object (and writes `null` for it in an array). */
export function unsaid(value: unknown): boolean {
  return value === undefined || typeof value === "function" || typeof value === "symbol";
}

/** Whether a value has properties to look into. */
export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Whether a value is an object and no array. */
export function isTable(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value);
}

/** Sets an own property. Assigning `__proto__` would change the prototype instead. */
export function put(object: object, key: string | number, value: unknown): void {
  if (key === "__proto__") Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else (object as Record<string | number, unknown>)[key] = value;
}
