/** Tells a request to a model from every other one, at once: what is none must not wait. */
import { attempt } from "../glance.js";
import { isObject } from "../json.js";
import type { Format } from "../types.js";
import { WIRES } from "./wires/index.js";
import { type Body, parsed, type Wire } from "./wires/wire.js";

/** A request that was recognised. */
export interface Asked {
  url: URL;
  /** The same as the caller named it. */
  href: string;
  wire: Wire;
  format: Format;
  /** The arguments of the call. */
  args: readonly any[];
  /** How the body came. It is sent in the same shape. */
  shape: "text" | "bytes" | "blob" | "request";
  headers: Headers;
  signal: AbortSignal | undefined;
  /** The parsed body; `undefined` when it turns out to be something else. Of blobs and requests it has to be awaited. */
  body: Body | Promise<Body | undefined>;
}

/** Who signs the body: a changed one would be refused. */
const SIGNED = /^AWS4-/;

/** `undefined` for what is none, or none that can be changed. */
export function recognise(args: readonly any[]): Asked | undefined {
  const [input, init] = args;
  const request = isRequest(input) ? input : undefined;
  const method: unknown = init?.method ?? request?.method;
  if (typeof method !== "string" || method.toUpperCase() !== "POST") return undefined;
  const href = request ? request.url : String(input);
  const url = attempt(() => new URL(href, "http://localhost"));
  const path = url?.pathname.replace(/\/+$/, "") ?? "";
  const wire = WIRES.find((wire) => wire.path.test(path));
  if (!url || !wire) return undefined;
  const headers = attempt(() => new Headers(init?.headers ?? request?.headers));
  if (!headers || SIGNED.test(headers.get("authorization") ?? "")) return undefined;
  const read = bodyOf(init?.body, request);
  if (!read) return undefined;
  const { shape, text } = read;
  const fit = (text: string): Body | undefined => {
    const body = parsed(text);
    return body && wire.fits(body) ? body : undefined;
  };
  const body = typeof text === "string" ? fit(text) : text.then(fit);
  const signal: AbortSignal | undefined = init?.signal ?? request?.signal ?? undefined;
  return body && { url, href, wire, format: wire.format, args, shape, headers, signal, body };
}

interface Read {
  shape: Asked["shape"];
  text: string | Promise<string>;
}

function bodyOf(body: unknown, request: Request | undefined): Read | undefined {
  if (typeof body === "string") return { shape: "text", text: body };
  const bytes = ArrayBuffer.isView(body) ? body : body instanceof ArrayBuffer ? new Uint8Array(body) : undefined;
  if (bytes) return { shape: "bytes", text: new TextDecoder().decode(bytes as Uint8Array) };
  if (body instanceof Blob) return { shape: "blob", text: body.text() };
  const own = (body === undefined || body === null) && request?.body && !request.bodyUsed;
  return own ? { shape: "request", text: request.clone().text() } : undefined;
}

/** Also one of another realm. */
function isRequest(value: unknown): value is Request {
  if (!isObject(value)) return false;
  const { url, method, clone } = value as Partial<Request>;
  return typeof url === "string" && typeof method === "string" && typeof clone === "function";
}
