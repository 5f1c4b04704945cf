/** "palimpsest/sessions", with the module where this environment finds it. */
import "./workerd.js";

export * from "../sessions.js";
