/** A headless Chromium and a server of files for it. Tests of pages skip where there is no browser. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize, sep } from "node:path";
import { type Browser, chromium } from "playwright-core";

const found = [process.env.CHROME, "/usr/bin/chromium"].find((path) => path && existsSync(path));

/** Why there are no tests of pages, if so. */
export const noBrowser = found === undefined && "no Chromium: set CHROME to where it is";
if (noBrowser) console.log(`skipped: ${noBrowser}`);

const quiet = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export const launch = (): Promise<Browser> =>
  chromium.launch({ ...(found && { executablePath: found }), headless: true, args: ["--no-sandbox", ...quiet] });

export interface Shown {
  /** What the page wrote into its `<pre>`. */
  text: string;
  /** Paths of all it fetched. */
  fetched: string[];
}

/** Opens a page and waits for its answer. Whatever goes wrong in it is the test's failure. */
export async function show(browser: Browser, url: string, answer = "pre"): Promise<Shown> {
  const page = await browser.newPage();
  const fetched: string[] = [];
  page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  const broken = new Promise<never>((_, reject) => {
    page.on("pageerror", (error) => reject(new Error(`the page: ${error.message}`)));
    page.on("response", (response) => {
      if (response.status() >= 400 && !response.url().endsWith("/favicon.ico")) reject(new Error(`${response.url()} answered ${response.status()}`));
    });
  });
  const shown = async (): Promise<string> => {
    await page.goto(url);
    await page.waitForFunction((where) => document.querySelector(where)?.textContent, answer, { timeout: 20_000 });
    return (await page.textContent(answer)) ?? "";
  };
  try {
    return { text: await Promise.race([shown(), broken]), fetched };
  } finally {
    await page.close();
  }
}

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".wasm": "application/wasm",
};

export interface Site extends AsyncDisposable {
  url: string;
}

/** Serves a folder at a free port. `answer` may answer before a file is looked for. */
export async function serve(folder: string, answer?: (path: string, body: string) => string | undefined): Promise<Site> {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
    const body = (await request.toArray()).join("");
    const own = answer?.(path, body);
    if (own !== undefined) return void response.end(own);
    const file = normalize(join(folder, path.endsWith("/") ? `${path}index.html` : path));
    try {
      if (!file.startsWith(folder + sep)) throw new Error("outside");
      const bytes = await readFile(file);
      response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url, [Symbol.asyncDispose]: close };
}
