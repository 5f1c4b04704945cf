// Builds the page of www/ and puts the bundled session beside it.

import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { writeSessions } from "../../www/sessions/story.mjs";
import { root } from "./run.mjs";

/** The faces that the page brings along, under the SIL Open Font License. */
const FACES = ["source-sans-3", "source-serif-4"];

/** Needs pkg/. Resolves to the folder to serve and the path of the bundled session in it. */
export async function buildPage(folder = join(root, "target/www")) {
  const { build } = await import("vite"); // there only after the set-up
  await build({ configFile: join(root, "www/vite.config.mjs"), build: { outDir: folder, emptyOutDir: true } });
  for (const face of FACES) copyFileSync(join(root, "node_modules/@fontsource-variable", face, "LICENSE"), join(folder, `assets/${face}.LICENSE.txt`));
  return { folder, session: writeSessions(join(folder, "sessions")) };
}
