/** The packed tarball in tiny real projects, one for each environment: each builds, runs, and comes to the same bytes. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { createServer, build as viteBuild, type InlineConfig } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import webpack from "webpack";
import { load, node, packageIn, project, tool, workshop } from "./support/consumer.js";
import { launch, noBrowser, serve, show } from "./support/page.js";
import { bundle, workerd } from "./support/worker.js";

interface Done {
  body: string;
  before: { tokens: number };
  after: { tokens: number };
  fits: boolean;
  broken: unknown[];
}

const shop = workshop();
/** What the job must come to: as it does here. */
let expected: { done: Done[]; refused: Record<string, unknown> };
let requests: { body: any; options: any }[];

beforeAll(async () => {
  const folder = project(shop, "node-esm");
  ({ requests } = await load(folder, "requests.mjs"));
  const { job } = await load(folder, "job.mjs");
  expected = JSON.parse(await job(await packageIn(folder)));
});

/** Equal to the letter. Two long texts that differ would fill the screen, so only the place is shown. */
function expectSame(text: string, wanted = JSON.stringify(expected)): void {
  const at = [...wanted].findIndex((letter, index) => letter !== text[index]);
  if (text !== wanted) expect(text.slice(at - 100, at + 200)).toBe(wanted.slice(at - 100, at + 200));
  expect(text.length).toBe(wanted.length);
}

test("the job is worth doing: both requests were too large, fit, and break no rule", () => {
  expect(expected.done.length).toBe(2);
  for (const [index, { body, before, after, fits, broken }] of expected.done.entries()) {
    expect(before.tokens).toBeGreaterThan(16_000);
    expect(after.tokens).toBeLessThan(14_000); // the window less the room for an answer
    expect({ fits, broken }).toEqual({ fits: true, broken: [] });
    expect(JSON.parse(body).messages.at(-1)).toEqual(requests[index]?.body.messages.at(-1));
  }
  expect(expected.refused).toMatchObject({ itsClass: true, name: "UnsupportedFormatError", code: "unsupported-format" });
});

describe("Node", () => {
  test("import", () => expectSame(node(project(shop, "node-esm"), "main.js")));
  test("require", () => expectSame(node(project(shop, "node-require"), "main.js")));
  test("palimpsest/inline", () => expectSame(node(project(shop, "inline"), "node.js")));
});

describe.skipIf(noBrowser)("Chromium", () => {
  let browser: Browser;
  beforeAll(async () => void (browser = await launch()));
  afterAll(() => browser?.close());

  /** The page of a folder, which must come to the expected bytes; the names of the modules it fetched. */
  async function page(folder: string): Promise<string[]> {
    await using site = await serve(folder);
    return await expectPage(site.url);
  }

  async function expectPage(url: string): Promise<string[]> {
    const { text, fetched } = await show(browser, url);
    expectSame(text);
    return fetched.filter((path) => path.endsWith(".wasm"));
  }

  test("a plain script", async () => {
    expect(await page(project(shop, "page"))).toEqual(["/node_modules/palimpsest/core_bg.wasm"]);
  });

  test("palimpsest/inline fetches no module", async () => {
    expect(await page(project(shop, "inline"))).toEqual([]);
  });

  test("webpack", async () => {
    const folder = project(shop, "webpack");
    const { default: config } = await load(folder, "webpack.config.js");
    const compiler = webpack(config);
    const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) => compiler?.run((error, stats) => (error ? reject(error) : resolve(stats))));
    expect(stats?.toJson({ all: false, errors: true, warnings: true })).toMatchObject({ errors: [], warnings: [] });
    expect(await page(folder)).toEqual([expect.stringMatching(/^\/dist\/\w+\.wasm$/)]);
  });

  const vite = (root: string): InlineConfig => ({ root, configFile: false, logLevel: "error", server: { port: 0, host: "127.0.0.1", ws: false } });

  test("Vite, built", async () => {
    const folder = project(shop, "vite");
    await viteBuild({ ...vite(folder), mode: "production" });
    expect(readdirSync(join(folder, "dist/assets")).filter((name) => name.endsWith(".wasm")).length).toBe(1);
    expect(await page(join(folder, "dist"))).toEqual([expect.stringMatching(/^\/assets\/core_bg-.+\.wasm$/)]);
  });

  test("Vite, in development", async () => {
    const server = await createServer(vite(project(shop, "vite")));
    try {
      await server.listen();
      expect((await expectPage(server.resolvedUrls?.local[0] ?? "")).length).toBe(1);
    } finally {
      await server.close();
    }
  });
});

describe("workerd", () => {
  test("a Worker makes requests fit before it sends them on", async () => {
    const folder = project(shop, "worker");
    const files = await bundle(folder, "worker.js");
    expect(files.sort()).toEqual([expect.stringMatching(/^core_bg.*\.wasm$/), "worker.js"]);
    // The entry for Node is not in it: there is no file to read there.
    expect(readFileSync(join(folder, "dist/worker.js"), "utf8").includes("readFileSync")).toBe(false);

    const arrived: string[] = [];
    const worker = workerd(folder, async (request) => {
      arrived.push(await request.text());
      return "understood";
    }, { UPSTREAM: "https://provider.example" });
    const post = (body: unknown): ReturnType<typeof worker.dispatchFetch> =>
      worker.dispatchFetch("https://worker.example", { method: "POST", body: JSON.stringify(body) });
    try {
      for (const [index, request] of requests.entries()) {
        const { body = "", before, after, fits } = expected.done[index] ?? {};
        expect(await (await post(request)).json()).toEqual({ answer: "understood", before, after, fits });
        expectSame(arrived[index] ?? "", body);
      }
      const refused = await post({ body: { prompt: "no messages here" } });
      const { itsClass: _, ...error } = expected.refused;
      expect([refused.status, await refused.json()]).toEqual([400, error]);
      expect(arrived.length).toBe(2);
    } finally {
      await worker.dispose();
    }
  });
});

describe("TypeScript", () => {
  test.each(["bundler", "nodenext"])("moduleResolution %s, strict", (resolution) => {
    const folder = project(shop, "types");
    // The types of Node are the only thing of the workspace it sees.
    const args = [tool("typescript/bin/tsc"), "-p", `tsconfig.${resolution}.json`, "--typeRoots", tool("@types"), "--pretty", "false"];
    expect(node(folder, ...args)).toBe("");
  });
});
