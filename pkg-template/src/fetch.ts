/** "palimpsest/fetch": a `fetch` that never hits the wall. */
import "palimpsest"; // by its own name: the entry for where this runs, which says where the WebAssembly module is

export { withCompaction } from "./fetch/wrap.js";
export { toResponse } from "./fetch/response.js";
export type { Answer, AskedOf, FetchOptions } from "./fetch/options.js";
export type { Memo } from "./types.js";
