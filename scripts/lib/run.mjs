// Running other programs: find them, ask them something, let them work.

import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants, mkdirSync, openSync, closeSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

const windows = process.platform === "win32";

/** Whether `path` is a file that can be run. */
export function runnable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Every place on PATH (or in `extra`) where a program of this name stands. */
export function whichAll(name, extra = []) {
  const ends = windows ? [".exe", ".cmd", ""] : [""];
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...extra].filter(Boolean);
  return [...new Set(folders)].flatMap((folder) => ends.map((end) => join(folder, name + end))).filter(runnable);
}

/** The first of those places, or undefined. */
export const which = (name, extra) => whichAll(name, extra)[0];

/** What a program printed, or undefined when it failed or does not exist. */
export function ask(command, args, options = {}) {
  const done = spawnSync(command, args, { encoding: "utf8", cwd: root, timeout: 60_000, ...options });
  return done.status === 0 ? done.stdout.trim() : undefined;
}

/**
 * Runs a program to its end. With `log` its output goes to that file, else to the terminal.
 * After `timeout` milliseconds it is ended. Resolves to its exit code; a program that cannot be started counts as 127, one ended by a signal as 128.
 */
export function run(command, args, { log, cwd = root, env, timeout } = {}) {
  let out = "inherit";
  // No colours in files.
  const plain = log ? { NO_COLOR: "1", FORCE_COLOR: undefined } : {};
  if (log) {
    mkdirSync(dirname(log), { recursive: true });
    out = openSync(log, "a");
  }
  return new Promise((resolve) => {
    // npm and npx are command files on Windows, which only a shell can start.
    const shell = windows && !command.endsWith(".exe");
    const child = spawn(command, args, { cwd, env: { ...process.env, ...plain, ...env }, stdio: ["ignore", out, out], shell, timeout });
    child.on("error", () => resolve(127));
    child.on("close", (code) => resolve(code ?? 128));
  }).finally(() => log && closeSync(out));
}

/** Where a program of node_modules stands; npx would cost half a second. */
export const nodeBin = (name) => join(root, "node_modules", ".bin", windows ? `${name}.cmd` : name);
