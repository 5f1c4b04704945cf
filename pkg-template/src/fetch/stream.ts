/** Looks at the first event of a stream, then lets everything through as it comes. */
import { Events } from "./events.js";
import type { StreamEvent } from "./wires/wire.js";

/** Bytes that are held while the first event is not whole. */
const HELD = 1024 * 1024;

export interface Opened {
  /** `undefined` when none came. */
  first: StreamEvent | undefined;
  /** The whole stream from its first byte on. `see` is called with each event before it goes on, `end` once the last one went. */
  rest(see: (event: StreamEvent) => void, end: () => void): ReadableStream<Uint8Array>;
  /** Gives it up. */
  cancel(): void;
}

/** Waits until the first event is whole. Comments before it are none: some hosts send them while they wait themselves. */
export async function opened(body: ReadableStream<Uint8Array>): Promise<Opened> {
  const reader = body.getReader();
  const events = new Events();
  const held: { chunk: Uint8Array | undefined; found: StreamEvent[] }[] = [];
  let size = 0;
  let first: StreamEvent | undefined;
  while (first === undefined && size < HELD) {
    const { done, value } = await reader.read();
    if (done) {
      held.push({ chunk: undefined, found: events.end() });
      first = held.at(-1)?.found[0];
      break;
    }
    const found = events.push(value);
    held.push({ chunk: value, found });
    size += value.length;
    first = found[0];
  }
  return {
    first,
    cancel: () => void reader.cancel().catch(() => {}),
    rest: (see, end) =>
      new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            const next = held.shift();
            const chunk = next ? next.chunk : (await reader.read()).value;
            for (const event of next?.found ?? (chunk ? events.push(chunk) : events.end())) see(event);
            if (chunk) return controller.enqueue(chunk);
            end();
            controller.close();
          },
          cancel: (reason) => reader.cancel(reason),
        },
        // Nothing is read before it is asked for.
        { highWaterMark: 0 },
      ),
  };
}

/** A response with another body; where it came from stands. */
export function withBody(response: Response, body: ReadableStream<Uint8Array>): Response {
  const { status, statusText, headers, url } = response;
  const copy = new Response(body, { status, statusText, headers });
  Object.defineProperty(copy, "url", { value: url });
  return copy;
}
