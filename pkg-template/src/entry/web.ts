/** Browsers and bundlers: the module is fetched on first use from beside the script. */
import { loadFrom } from "../load.js";

loadFrom(() => new URL("../core_bg.wasm", import.meta.url));

export * from "../index.js";
