/** The core's side of a conversation: messages go in once and go by their numbers from then on. */
import { Conversation as Wasm } from "../core.js";
import { OptionError, PalimpsestError, UnsupportedFormatError } from "../errors.js";
import { answerOf, type CoreJob, inCore } from "../job.js";
import { reading, TapeWriter } from "../tape.js";
import type { Format } from "../types.js";

export class Core implements CoreJob {
  readonly #wasm: Wasm;
  #count = 0;
  #closed = false;
  readonly #lent = new WeakSet<Uint8Array>();

  /** @throws {UnsupportedFormatError} for a format this version does not read. */
  constructor(format: Format) {
    this.#wasm = inCore(() => new Wasm(format));
    try {
      this.call("tip");
    } catch (error) {
      this.free();
      throw error instanceof OptionError ? new UnsupportedFormatError(error.message) : error;
    }
  }

  /** Takes a message; its number. @throws {UnsupportedFormatError} for what is no message of the format. */
  add(message: unknown): number {
    this.#open();
    written((writer) => {
      const tape = reading(() => writer.message(message, this.#count));
      const fault = inCore(() => this.#wasm.add(tape));
      if (fault !== undefined) answerOf(() => fault);
    });
    return this.#count++;
  }

  /** Answers a question of `ops.rs`. @throws what the tree refuses. */
  call<T = unknown>(op: string, asked: object = {}): T {
    this.#open();
    return written((writer) => {
      const tape = reading(() => writer.value(asked));
      return answerOf<T>(() => this.#wasm.call(op, tape));
    });
  }

  /** Begins the request for the path to the tip; `next` goes on with it. The count of messages stays out: what asks the same is told by its bytes. */
  begin(envelope: object, options: object, fonts: readonly Uint8Array[]): void {
    this.#open();
    for (const font of fonts) {
      if (!this.#lent.has(font)) inCore(() => this.#wasm.font(font));
      this.#lent.add(font);
    }
    written((writer) => {
      const asked = reading(() => writer.value(options)).slice(); // the next tape is written over it
      const around = reading(() => writer.envelope(envelope, "messages", 0));
      inCore(() => this.#wasm.begin(around, asked));
    });
  }

  /** Puts a request that waits for the words of a summary aside: others may begin, until it is taken up or given up. */
  putAside(): void {
    this.#open();
    inCore(() => this.#wasm.putAside());
  }

  takeUp(): void {
    this.#open();
    inCore(() => this.#wasm.takeUp());
  }

  giveUp(): void {
    if (!this.#closed) inCore(() => this.#wasm.giveUp());
  }

  next(answer?: Uint8Array): string {
    this.#open();
    return this.#wasm.next(answer);
  }

  /** No request draws pages for their own sake. */
  page(): Uint8Array {
    return new Uint8Array();
  }

  free(): void {
    if (this.#closed) return;
    this.#closed = true;
    try {
      this.#wasm.free();
    } catch {
      // After a trap there is nothing left to free.
    }
  }

  #open(): void {
    if (this.#closed) throw new PalimpsestError("option", "This conversation is closed: open it again.");
  }
}

/** One writer a call: what a writer may send in all is limited, a conversation is not. */
function written<T>(write: (writer: TapeWriter) => T): T {
  const writer = new TapeWriter();
  try {
    return write(writer);
  } finally {
    writer.release();
  }
}
