/** The arguments of a call again, with another body. */
import { type Asked, isRequest } from "./recognise.js";

/** What belongs to the body that was: a key by which it is known to have been sent, and its length, which `fetch` counts itself. */
const OF_THE_BODY = ["content-length", "idempotency-key"];

/** Arguments that send `text` as the one who asked would have sent it. */
export function resent({ args, shape }: Asked, text: string): any[] {
  const [input, init, ...more] = args;
  const own = init?.headers === undefined || init.headers === null ? {} : { headers: without(init.headers) };
  // Headers of a Request can only be changed while it is made anew.
  if (shape === "init") return [input, new Request(init, { body: text, headers: without(init.headers) }), ...more];
  if (shape === "request") {
    const { body: _, ...rest } = init ?? {};
    const request = new Request(input, { body: text, headers: without(new Headers((input as Request).headers)) });
    return init === undefined ? [request] : [request, { ...rest, ...own }, ...more];
  }
  return [input, { ...init, ...own, body: shaped(text, shape, init?.body) }, ...more];
}

/** The same arguments, ended by another signal. */
export function withSignal([input, init, ...more]: readonly any[], signal: AbortSignal | undefined): any[] {
  return [input, isRequest(init) ? new Request(init, { signal: signal ?? null }) : { ...init, signal }, ...more];
}

function shaped(text: string, shape: Asked["shape"], was: unknown): unknown {
  if (shape === "bytes") return new TextEncoder().encode(text);
  if (shape === "blob") return new Blob([text], { type: (was as Blob).type });
  return text;
}

/** Headers in the shape in which they came, without those of the body. */
function without(headers: unknown): any {
  const stays = (name: unknown): boolean => !OF_THE_BODY.includes(String(name).toLowerCase());
  if (Array.isArray(headers)) return headers.filter(([name]) => stays(name));
  if (typeof (headers as Headers).forEach === "function") {
    const kept = new Headers();
    (headers as Headers).forEach((value, name) => stays(name) && kept.append(name, value));
    return kept;
  }
  return Object.fromEntries(Object.entries(headers as object).filter(([name]) => stays(name)));
}
