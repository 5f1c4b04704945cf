import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default {
  mode: "production",
  context: here("."),
  entry: "./main.js",
  output: { path: here("dist") },
  // The module is larger than webpack cares for; it travels compressed.
  performance: { maxAssetSize: 2 ** 20 },
};
