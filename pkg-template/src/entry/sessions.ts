/** "palimpsest/sessions", with the module where browsers find it. */
import "./web.js";

export * from "../sessions.js";
