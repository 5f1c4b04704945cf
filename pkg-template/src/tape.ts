/**
 * Writes JavaScript values as tapes, the bytes in which they cross to the core (`docs/boundary.md`): one walk, one buffer that grows and
 * is used again.
 */
import { OptionError, PalimpsestError } from "./errors.js";
import { bytesOf, shown, unsaid } from "./json.js";

const NULL = 0x00, FALSE = 0x01, TRUE = 0x02, NUMBER = 0x03, STRING = 0x04, ARRAY = 0x05, OBJECT = 0x06, END = 0x07, BYTES = 0x08, LIST = 0x09;

/** Objects and arrays within one another. A deeper one could overflow the stack of the core, which would end it for good. */
export const MAX_DEPTH = 512;
/** Bytes that one call may send. */
export const MAX_BYTES = 2 ** 30;
/** Bytes of a typed array that are sent along: enough for the header of any picture. */
const MAX_HEAD = 64 * 1024;
/** Strings up to this length are copied letter by letter: calling the encoder costs more than it saves. */
const SHORT = 48;
/** A buffer larger than this is given back after the call. */
const KEPT = 4 * 1024 * 1024;

const encoder = new TextEncoder();
let spare: Uint8Array<ArrayBuffer> | undefined;

export class TapeWriter {
  #bytes = spare ?? new Uint8Array(64 * 1024);
  #at = 0;
  #sent = 0;
  #exact = false;

  constructor() {
    spare = undefined; // two writers never share a buffer
  }

  /** One value of the package's own, options or a model: a number that JSON cannot say is told as it is, so that the core can refuse it.
   *  Like every tape it is valid until the next is written.
   *  @throws {OptionError} for a bigint, for nesting beyond 512, and when all tapes of this writer exceed 1 GiB. */
  value(value: unknown): Uint8Array {
    this.#start();
    this.#exact = true;
    this.#write(shown(value, ""), 1);
    this.#exact = false;
    return this.#end();
  }

  /** A request whose messages, the array at `list`, are sent one by one. */
  envelope(request: object, list: string | undefined, count: number): Uint8Array {
    this.#start();
    this.#object(request, 1, list, count);
    return this.#end();
  }

  /** A message of the list; the request and the list lie around it. */
  message(message: unknown, index: number): Uint8Array {
    this.#start();
    this.#write(shown(message, index), 3);
    return this.#end();
  }

  /** Gives the buffer back; the writer and its tapes are not used afterwards. */
  release(): void {
    if (this.#bytes.length <= KEPT) spare = this.#bytes;
  }

  #start(): void {
    this.#at = 0;
  }

  #end(): Uint8Array {
    this.#sent += this.#at;
    return this.#bytes.subarray(0, this.#at);
  }

  /** A value as JSON sees it. `depth` is the level on which it would stand if it is an object. */
  #write(value: unknown, depth: number): void {
    switch (typeof value) {
      case "string":
        this.#text(value);
        break;
      case "number":
        if (this.#exact || Number.isFinite(value)) this.#number(value);
        else this.#tag(NULL);
        break;
      case "boolean":
        this.#tag(value ? TRUE : FALSE);
        break;
      case "bigint":
        throw new OptionError("A bigint cannot be sent as JSON: make it a number or a string first.");
      case "object":
        if (value === null) this.#tag(NULL);
        else if (Array.isArray(value)) this.#array(value, depth);
        else this.#objectOrBytes(value, depth);
        break;
      default:
        this.#tag(NULL);
    }
  }

  #array(array: readonly unknown[], depth: number): void {
    this.#enter(depth);
    this.#expect(array.length); // one byte each at least: a huge empty array is refused before it is walked
    this.#tag(ARRAY);
    for (let i = 0; i < array.length; i++) this.#write(shown(array[i], i), depth + 1);
    this.#tag(END);
  }

  #objectOrBytes(value: object, depth: number): void {
    const bytes = bytesOf(value);
    if (bytes) this.#head(bytes);
    else this.#object(value, depth);
  }

  #object(object: object, depth: number, list?: string, count = 0): void {
    this.#enter(depth);
    this.#tag(OBJECT);
    for (const key of Object.keys(object)) {
      const value = shown((object as Record<string, unknown>)[key], key);
      if (unsaid(value)) continue;
      this.#text(key);
      if (key === list) this.#list(count);
      else this.#write(value, depth + 1);
    }
    this.#tag(END);
  }

  #list(count: number): void {
    this.#room(5);
    this.#bytes[this.#at++] = LIST;
    this.#u32(this.#at, count);
    this.#at += 4;
  }

  #head(bytes: Uint8Array): void {
    const head = bytes.subarray(0, MAX_HEAD);
    this.#room(9 + head.length);
    this.#bytes[this.#at] = BYTES;
    this.#u32(this.#at + 1, bytes.length);
    this.#u32(this.#at + 5, head.length);
    this.#bytes.set(head, this.#at + 9);
    this.#at += 9 + head.length;
  }

  #number(value: number): void {
    const digits = String(value);
    this.#room(2 + digits.length);
    const bytes = this.#bytes;
    let at = this.#at;
    bytes[at++] = NUMBER;
    bytes[at++] = digits.length;
    for (let i = 0; i < digits.length; i++) bytes[at++] = digits.charCodeAt(i);
    this.#at = at;
  }

  #text(text: string): void {
    const length = text.length;
    this.#room(5 + length);
    const start = this.#at + 5;
    if (length > SHORT || !this.#ascii(text, start)) this.#encode(text, start);
    this.#bytes[start - 5] = STRING;
    this.#u32(start - 4, this.#at - start);
  }

  /** Copies a text letter by letter; `false` when it met one that is not ASCII. */
  #ascii(text: string, start: number): boolean {
    const bytes = this.#bytes;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 0x7f) return false;
      bytes[start + i] = code;
    }
    this.#at = start + text.length;
    return true;
  }

  #encode(text: string, start: number): void {
    this.#at = start;
    let rest = text;
    for (;;) {
      const { read, written } = encoder.encodeInto(rest, this.#bytes.subarray(this.#at));
      this.#at += written;
      if (read === rest.length) return;
      rest = rest.slice(read);
      this.#room(3 * rest.length, rest.length); // three bytes a UTF-16 unit are enough for any text
    }
  }

  #tag(tag: number): void {
    if (this.#at === this.#bytes.length) this.#room(1);
    this.#bytes[this.#at++] = tag;
  }

  #u32(at: number, value: number): void {
    const bytes = this.#bytes;
    bytes[at] = value;
    bytes[at + 1] = value >>> 8;
    bytes[at + 2] = value >>> 16;
    bytes[at + 3] = value >>> 24;
  }

  /** Makes room for `size` bytes, of which `certain` will surely be written. */
  #room(size: number, certain = size): void {
    const needed = this.#at + size;
    if (needed <= this.#bytes.length && this.#sent + needed <= MAX_BYTES) return;
    this.#expect(certain);
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, needed));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
  }

  #expect(size: number): void {
    if (this.#sent + this.#at + size > MAX_BYTES) {
      throw new OptionError("The request is larger than 1 GiB: send less of it, or pictures by URL.");
    }
  }

  #enter(depth: number): void {
    if (depth > MAX_DEPTH) {
      throw new OptionError(`The request nests deeper than ${MAX_DEPTH} levels, or refers to itself: no provider reads that.`);
    }
  }
}

/** Reads from the caller's objects. What their getters or `toJSON` throw is told as a fault of the input. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof PalimpsestError) throw cause;
    const words = cause instanceof Error ? cause.message : String(cause);
    throw new OptionError(`The request cannot be read: ${words}`, { cause });
  }
}
