import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

const wasm = await readFile(new URL("../../pkg/core_bg.wasm", import.meta.url));
let server: Server;
let base: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url !== "/core_bg.wasm") return void response.writeHead(404).end("<html>");
    response.setHeader("content-type", "application/wasm").end(wasm);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

/** The package as if it had not been imported yet, without an entry that loads it. */
beforeEach(() => void vi.resetModules());
const fresh = (): Promise<typeof import("../../pkg/index.js")> => import("../../pkg/index.js");

describe("init takes", () => {
  test.each<[string, () => any]>([
    ["bytes", () => wasm],
    ["a compiled module", () => new WebAssembly.Module(wasm)],
    ["a Response", () => fetch(`${base}/core_bg.wasm`)],
    ["a URL", () => new URL(`${base}/core_bg.wasm`)],
    ["a string", () => `${base}/core_bg.wasm`],
  ])("%s", async (_, source) => {
    const { init, models } = await fresh();
    await init(await source());
    expect((await models()).length).toBeGreaterThan(0);
  });
});

test("two at once, and again afterwards, are one", async () => {
  const { init, models } = await fresh();
  await Promise.all([init(wasm), init(wasm), init(), models()]);
  await init("http://127.0.0.1:1/not-asked");
  await init();
});

describe("a failure has code load-failed and can be tried again", () => {
  test.each<[string, () => any]>([
    ["an address that answers 404", () => `${base}/lost.wasm`],
    ["an address where nobody answers", () => new URL("http://127.0.0.1:9/core_bg.wasm")],
    ["bytes that are no module", () => new Uint8Array([1, 2, 3])],
    ["nothing, and no entry that knows better", () => undefined],
  ])("%s", async (_, source) => {
    const { init, models } = await fresh();
    await expect(init(source())).rejects.toMatchObject({ name: "PalimpsestError", code: "load-failed", message: expect.stringMatching(/^The WebAssembly module did not load: .+/) });
    await expect(models()).rejects.toMatchObject({ code: "load-failed" });
    await init(wasm);
    expect((await models()).length).toBeGreaterThan(0);
  });

  test("while another source is waiting", async () => {
    const { init, models } = await fresh();
    const [first, second] = await Promise.allSettled([init(`${base}/lost.wasm`), init(wasm)]);
    expect([first.status, second.status]).toEqual(["rejected", "fulfilled"]);
    expect((await models()).length).toBeGreaterThan(0);
  });
});

test("the inline entry brings the module along", async () => {
  const { models } = await import("../../pkg/entry/inline.js");
  expect((await models()).length).toBeGreaterThan(0);
});

test("the node entry has loaded at import", async () => {
  const { models } = await import("../../pkg/entry/node.js");
  expect((await models()).length).toBeGreaterThan(0);
});
