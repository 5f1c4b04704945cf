/** "palimpsest/sessions", with the module where this environment finds it. */
import "./node.js";

export * from "../sessions.js";
