// Where Chromium and its driver are.

import { join } from "node:path";
import { runnable, which } from "./run.mjs";

const home = [process.env.PROGRAMFILES, process.env["PROGRAMFILES(X86)"], process.env.LOCALAPPDATA].filter(Boolean);

const usual = {
  linux: ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/snap/bin/chromium"],
  darwin: [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
  ],
  win32: home.map((folder) => join(folder, "Google/Chrome/Application/chrome.exe")),
}[process.platform] ?? [];

const brew = ["/opt/homebrew/bin", "/usr/local/bin"];

/** The browser: CHROME when set, else PATH, else the usual places. */
export function findChrome() {
  const named = process.env.CHROME;
  if (named) return runnable(named) ? named : undefined;
  return which("chromium") ?? which("chromium-browser") ?? which("google-chrome") ?? usual.find(runnable);
}

/** The driver that steers it: CHROMEDRIVER when set, else PATH and the usual places. */
export function findChromedriver() {
  const named = process.env.CHROMEDRIVER;
  if (named) return runnable(named) ? named : undefined;
  return which("chromedriver", [...brew, "/usr/lib/chromium", "/usr/lib/chromium-browser"]);
}
