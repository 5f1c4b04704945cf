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
  /** The arguments of the call; where the body is a stream, with one that says the same. */
  args: readonly any[];
  /** Azure names the model in the path; in the body it may be missing. */
  deployment: string | undefined;
  /** How the body came. It is sent in the same shape. */
  shape: "text" | "bytes" | "blob" | "request" | "init";
  headers: Headers;
  signal: AbortSignal | undefined;
  /** The parsed body; `undefined` when it turns out to be something else. Of blobs and requests it has to be awaited. */
  body: Body | Promise<Body | undefined>;
}

/** Who signs the body: a changed one would be refused. */
const SIGNED = /^AWS4-/;
const DEPLOYMENT = /\/deployments\/([^/]+)\//;

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
  const read = bodyOf(args, request, headers);
  if (!read) return undefined;
  const { shape, text, args: same = args } = read;
  const fit = (text: string): Body | undefined => {
    const body = parsed(text);
    return body && wire.fits(body) ? body : undefined;
  };
  const body = typeof text === "string" ? fit(text) : text.then(fit);
  const signal: AbortSignal | undefined = init?.signal ?? request?.signal ?? undefined;
  const deployment = attempt(() => decodeURIComponent(DEPLOYMENT.exec(path)?.[1] ?? "")) || undefined;
  return body && { url, href, wire, format: wire.format, args: same, deployment, shape, headers, signal, body };
}

interface Read {
  shape: Asked["shape"];
  text: string | Promise<string>;
  /** What to send instead where reading has used up what was given. */
  args?: readonly any[];
}

function bodyOf([input, init, ...more]: readonly any[], request: Request | undefined, headers: Headers): Read | undefined {
  // `fetch(url, request)`: what a proxy was asked, to another address.
  if (isRequest(init)) return init.body && !init.bodyUsed ? { shape: "init", text: init.clone().text() } : undefined;
  const body: unknown = init?.body;
  if (typeof body === "string") return { shape: "text", text: body };
  const bytes = ArrayBuffer.isView(body) ? body : body instanceof ArrayBuffer ? new Uint8Array(body) : undefined;
  if (bytes) return { shape: "bytes", text: new TextDecoder().decode(bytes as Uint8Array) };
  if (body instanceof Blob) return { shape: "blob", text: body.text() };
  if (body instanceof ReadableStream) {
    if (body.locked || !headers.get("content-type")?.includes("json")) return undefined;
    const [mine, theirs] = body.tee();
    return { shape: "text", text: new Response(mine).text(), args: [input, { ...init, body: theirs }, ...more] };
  }
  const own = (body === undefined || body === null) && request?.body && !request.bodyUsed;
  return own ? { shape: "request", text: request.clone().text() } : undefined;
}

/** Also one of another realm. */
export function isRequest(value: unknown): value is Request {
  if (!isObject(value)) return false;
  const { url, method, clone } = value as Partial<Request>;
  return typeof url === "string" && typeof method === "string" && typeof clone === "function";
}
