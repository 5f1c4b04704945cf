/** Node, Deno and Bun: the module is read from the package at import. */
import { readFileSync } from "node:fs";
import { loadNow } from "../load.js";

loadNow(() => readFileSync(new URL("../core_bg.wasm", import.meta.url)));

export * from "../index.js";
