// A small server for files that lie in one folder. For this machine only.

import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
  ".json": "application/json", ".wasm": "application/wasm", ".woff2": "font/woff2", ".svg": "image/svg+xml", ".png": "image/png",
};

/** Ports that are tried one after the other when the first is taken. */
const TRIES = 50;

/**
 * Serves `folder` at the first free port from `port` on, or at that port only when `strict`; 0 is any free one.
 * Resolves to its address and a function that ends it at once.
 */
export async function serve(folder, { port = 5173, strict = false } = {}) {
  const server = createServer((request, response) => answer(folder, request, response));
  const last = port === 0 || strict ? port : port + TRIES;
  for (let next = port; ; next++) {
    try {
      await listen(server, next);
      break;
    } catch (error) {
      if (error.code !== "EADDRINUSE") throw error;
      if (next >= last) throw new Error(`port ${port} is taken; set PORT to another`);
    }
  }
  const close = () => new Promise((done) => (server.close(done), server.closeAllConnections()));
  return { url: `http://localhost:${server.address().port}/`, close };
}

function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server.off("error", reject)));
  });
}

function answer(folder, { method, url }, response) {
  if (method !== "GET" && method !== "HEAD") return response.writeHead(405).end();
  const file = fileAt(folder, url);
  if (file === undefined) return response.writeHead(404, { "content-type": "text/plain" }).end("Not here.\n");
  const { path, size } = file;
  response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream", "content-length": size, "cache-control": "no-cache" });
  if (method === "HEAD") return response.end();
  createReadStream(path).on("error", () => response.destroy()).pipe(response);
}

/** The file that an address means; undefined when there is none, or it lies elsewhere. */
function fileAt(folder, url) {
  try {
    const { pathname } = new URL(url, "http://localhost");
    const path = join(folder, decodeURIComponent(pathname.endsWith("/") ? `${pathname}index.html` : pathname));
    const stat = path.startsWith(folder + sep) ? statSync(path) : undefined;
    return stat?.isFile() ? { path, size: stat.size } : undefined;
  } catch {
    return undefined;
  }
}
