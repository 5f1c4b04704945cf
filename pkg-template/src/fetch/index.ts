/** "palimpsest/fetch": a `fetch` that never hits the wall. */
import "palimpsest"; // by its own name: the entry for where this runs, which says where the WebAssembly module is

export { withCompaction } from "./wrap.js";
export { toResponse } from "./response.js";
export type { Answer, AskedOf, FetchOptions } from "./options.js";
export type { Memo } from "../types.js";
