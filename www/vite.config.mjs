import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

// The page uses the package as it is built in pkg/. What comes out needs no server of its own: any folder that is served will do.
export default defineConfig({
  root: at("."),
  base: "./",
  publicDir: false,
  logLevel: "warn",
  resolve: {
    alias: [
      { find: "palimpsest/indexeddb", replacement: at("../pkg/stores/indexeddb.js") },
      { find: "palimpsest/read-session", replacement: at("../pkg/read-session.js") },
      { find: "palimpsest", replacement: at("../pkg/entry/web.js") },
    ],
  },
  worker: { format: "es" },
  build: { outDir: at("../target/www"), emptyOutDir: true, target: "es2022" },
});
