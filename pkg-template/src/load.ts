/** The one place that knows whether the module is loaded. */
import start, { initSync } from "./core.js";
import { PalimpsestError } from "./errors.js";

/** `WebAssembly.Module` wherever it is declared: Node's own types do not, and this declaration must hold there, too. */
type Module = typeof globalThis extends { WebAssembly: { Module: { prototype: infer M } } } ? M : object;
type Bytes = ArrayBuffer | ArrayBufferView;
type Wasm = Module | Bytes | Response | URL | string;

let loaded = false;
let loading: Promise<void> | undefined;
let standard: (() => Wasm) | undefined;

/**
 * Loads the WebAssembly module: from `wasm` when given (a compiled module, its bytes, a Response, or where to fetch it), else from where
 * the package keeps it. Idempotent. Every async function does it on first use, Workers and Node at import, so it is called only to load
 * early or from elsewhere. Rejects with code "load-failed"; the next call tries again.
 */
export async function init(wasm?: Wasm): Promise<void> {
  if (loaded) return;
  if (loading && wasm !== undefined) {
    // Another load is on its way. When it fails, this source is still worth trying.
    await loading.catch(() => {});
    return init(wasm);
  }
  await (loading ??= load(wasm).finally(() => (loading = undefined)));
}

/** Says where this environment finds the module. Called by its entry; the first stands. */
export function loadFrom(source: () => Wasm): void {
  standard ??= source;
}

/** The same for an entry that was chosen because the module comes with it: it stands whichever entry was there before. */
export function loadWith(source: () => Wasm): void {
  standard = source;
}

/** As `loadFrom` where the module can be had at once: loads it at import. A failure shows on first use, when it is tried again. */
export function loadNow(source: () => Module | Bytes): void {
  loadFrom(source);
  if (loaded) return;
  try {
    initSync({ module: source() as WebAssembly.Module | BufferSource });
    loaded = true;
  } catch {
    // `init` meets the same failure and can say so to someone who listens.
  }
}

async function load(wasm: Wasm | undefined): Promise<void> {
  try {
    const source = wasm ?? standard?.();
    if (source === undefined) throw new Error("no entry of the package was imported");
    await start({ module_or_path: typeof source === "string" || source instanceof URL ? await fetched(source) : (source as WebAssembly.Module | BufferSource) });
    loaded = true;
  } catch (cause) {
    const words = cause instanceof Error ? cause.message : String(cause);
    throw new PalimpsestError("load-failed", `The WebAssembly module did not load: ${words}. Pass init() the module, or where it is served.`, { cause });
  }
}

async function fetched(url: string | URL): Promise<Response> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${String(url)} answered ${response.status}`);
  return response;
}
