/** Cloudflare Workers: the module arrives compiled, for compiling is forbidden there. */
import module from "../core_bg.wasm";
import { loadNow } from "../load.js";

loadNow(() => module);

export * from "../index.js";
