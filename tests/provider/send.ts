/** Writes answers out: JSON at once, events one by one. */
import type { ServerResponse } from "node:http";

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** @param body a string is sent as it is. @param cut the connection ends in the middle */
export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}, cut = false): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text), ...headers });
  if (!cut) return void response.end(text);
  response.write(text.slice(0, text.length / 2), () => response.destroy());
}

/** Milliseconds before the first event and between two; after `cut` events the connection ends. Waits where the reader does not keep up. */
export async function sendEvents(response: ServerResponse, events: string[], { wait = 0, pace = 0, cut = Infinity }: { wait?: number; pace?: number; cut?: number }): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  if (wait > 0) await pause(wait);
  for (const [index, event] of events.entries()) {
    if (response.destroyed) return;
    // What was written goes out first.
    if (index >= cut) return void response.write("", () => response.destroy());
    if (pace > 0 && index > 0) await pause(pace);
    if (!response.write(event)) await drained(response);
  }
  response.end();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}
