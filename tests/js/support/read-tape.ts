/** Reads a tape back, as docs/boundary.md describes it. */

export class Bytes {
  constructor(
    readonly whole: number,
    readonly head: Uint8Array,
  ) {}
}

export class List {
  constructor(readonly count: number) {}
}

const END = Symbol("end");

/** @throws where the tape is malformed, or something follows its value. */
export function readTape(tape: Uint8Array): unknown {
  const view = new DataView(tape.buffer, tape.byteOffset, tape.byteLength);
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let at = 0;

  const u32 = (): number => {
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const take = (length: number): Uint8Array => {
    if (at + length > tape.length) throw new Error(`${length} bytes at ${at} pass the end`);
    at += length;
    return tape.slice(at - length, at);
  };
  const value = (): unknown => {
    const tag = take(1)[0];
    switch (tag) {
      case 0x00:
        return null;
      case 0x01:
        return false;
      case 0x02:
        return true;
      case 0x03:
        return JSON.parse(utf8.decode(take(take(1)[0] ?? 0)));
      case 0x04:
        return utf8.decode(take(u32()));
      case 0x05: {
        const array: unknown[] = [];
        for (let next = value(); next !== END; next = value()) array.push(next);
        return array;
      }
      case 0x06: {
        const object = {};
        for (let key = value(); key !== END; key = value()) {
          if (typeof key !== "string") throw new Error(`a key that is no string, before ${at}`);
          Object.defineProperty(object, key, { value: value(), enumerable: true, configurable: true, writable: true });
        }
        return object;
      }
      case 0x07:
        return END;
      case 0x08: {
        const whole = u32();
        return new Bytes(whole, take(u32()));
      }
      case 0x09:
        return new List(u32());
      default:
        throw new Error(`tag ${tag} at ${at - 1}`);
    }
  };

  const result = value();
  if (at !== tape.length) throw new Error(`${tape.length - at} bytes after the value`);
  return result;
}
