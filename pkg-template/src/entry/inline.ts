/** Bundlers that lose assets: the module travels inside the script, a third larger, and is compiled on first use. */
import base64 from "../core_bg.inline.js";
import { loadWith } from "../load.js";

loadWith(() => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)));

export * from "../index.js";
