/** Copies of the tiny projects in `pkg-template/consumers`, each with the packed package installed. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, inject } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const consumers = join(root, "pkg-template/consumers");

/** An empty folder for this test file, removed when it is done. */
export function workshop(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "palimpsest-consumers-")));
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Puts the package into a folder's `node_modules`; the folder. */
export function install(folder: string): string {
  cpSync(inject("installed"), join(folder, "node_modules"), { recursive: true, verbatimSymlinks: true });
  return folder;
}

/** A copy of the consumer of this name, ready to build and run; its folder. */
export function project(shop: string, name: string): string {
  const folder = join(shop, name);
  cpSync(join(consumers, name), folder, { recursive: true });
  for (const shared of ["job.mjs", "requests.mjs"]) cpSync(join(consumers, shared), join(folder, shared));
  return install(folder);
}

/** A module of a folder. */
export const load = (folder: string, file: string): Promise<any> => import(/* @vite-ignore */ pathToFileURL(join(folder, file)).href);

/** The package as Node finds it from a folder. */
export const packageIn = (folder: string): Promise<typeof import("../../../pkg/index.js")> => load(folder, "node_modules/palimpsest/entry/node.js");

/** What a script prints when Node runs it in its folder. */
export function node(folder: string, ...script: string[]): string {
  return execFileSync(process.execPath, script, { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 26 });
}

/** A program of the workspace's `node_modules`, by the script that starts it. */
export const tool = (path: string): string => join(root, "node_modules", path);
