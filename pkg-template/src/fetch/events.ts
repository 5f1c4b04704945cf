/** Events of a stream (text/event-stream), as far as providers use them. */
import type { StreamEvent } from "./wires/wire.js";

/** Letters of one event that are kept; a longer one is forgotten, not the stream. */
const LONGEST = 16 * 1024 * 1024;

export class Events {
  readonly #decoder = new TextDecoder();
  /** What has come of the line that is not whole, in pieces: joined once. */
  #pieces: string[] = [];
  #length = 0;
  #event = "";
  #data: string[] = [];

  /** The events that end in these bytes. */
  push(bytes: Uint8Array): StreamEvent[] {
    const text = this.#decoder.decode(bytes, { stream: true });
    const end = text.lastIndexOf("\n");
    if (end < 0) {
      this.#keep(text);
      return [];
    }
    // Of a line that was too long only the end is left.
    this.#keep(text.slice(this.#length > LONGEST ? text.indexOf("\n") : 0, end), true);
    const lines = this.#pieces.join("").split("\n");
    this.#pieces = [];
    this.#length = 0;
    this.#keep(text.slice(end + 1));
    const events: StreamEvent[] = [];
    for (const line of lines) this.#line(line.endsWith("\r") ? line.slice(0, -1) : line, events);
    return events;
  }

  /** The event that the end of the stream ends, if there is one: not all hosts close the last with a blank line. */
  end(): StreamEvent[] {
    return this.push(new Uint8Array([10, 10]));
  }

  #keep(text: string, ends = false): void {
    this.#length += text.length;
    if (!ends && this.#length > LONGEST) this.#pieces = [];
    else if (text !== "") this.#pieces.push(text);
  }

  #line(line: string, events: StreamEvent[]): void {
    if (line === "") {
      if (this.#data.length > 0) events.push({ event: this.#event, data: this.#data.join("\n") });
      this.#event = "";
      this.#data = [];
      return;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#event = value;
  }
}
