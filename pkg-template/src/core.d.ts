/**
 * What wasm-bindgen generates, as `docs/boundary.md` fixes it. Written by hand so that the sources check before the core is built;
 * the build puts the generated `core.js` and its own declaration in this place.
 */

export class Job {
  constructor(op: string, envelope: Uint8Array, options: Uint8Array);
  push(message: Uint8Array): void;
  font(font: Uint8Array): void;
  page(): Uint8Array;
  next(answer?: Uint8Array): string;
  free(): void;
}

/** A conversation that stays: `src/request/conversation/ops.rs` lists what it can be asked. Everything that goes in is a tape. */
export class Conversation {
  constructor(format: string);
  add(message: Uint8Array): string | undefined;
  call(op: string, asked: Uint8Array): string;
  font(font: Uint8Array): void;
  begin(envelope: Uint8Array, options: Uint8Array): void;
  putAside(): void;
  takeUp(): void;
  giveUp(): void;
  next(answer?: Uint8Array): string;
  free(): void;
}

export function model_facts(model: Uint8Array): string;
export function models(): string;
export function image_cost(model: Uint8Array, width: number, height: number): string;
export function main_chain(lines: Uint8Array): string;
export function overflow(refusal: Uint8Array): string;
export function overflow_fields(): string;
export function calibrate(asked: Uint8Array): string;
export function recover(refused: Uint8Array): string;
export function probe(asked: Uint8Array): string;

/** Compiles and instantiates on the spot. */
export function initSync(input: { module: WebAssembly.Module | BufferSource }): unknown;
/** Compiles and instantiates in the background. */
export default function start(input: { module_or_path: WebAssembly.Module | BufferSource | Response }): Promise<unknown>;
