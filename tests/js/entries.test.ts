/** Entries of the package beside the main one: each works where it is the only thing that is imported, and finds the module by itself. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { createServer, build as viteBuild, type InlineConfig } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import webpack from "webpack";
import { install, node, workshop } from "./support/consumer.js";
import { launch, noBrowser, serve, show } from "./support/page.js";
import { bundle, workerd } from "./support/worker.js";

const shop = workshop();

/** A folder with these files and the package. */
function project(name: string, files: Record<string, string>): string {
  const folder = join(shop, name);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries({ "package.json": '{ "private": true, "type": "module" }', ...files })) writeFileSync(join(folder, file), text);
  return install(folder);
}

/** What each entry is asked for, and a sign that the core gave the answer. */
const entries = {
  fetch: {
    use: `
      import { withCompaction } from "palimpsest/fetch";
      const messages = Array.from({ length: 101 }, (_, at) => ({ role: at % 2 ? "assistant" : "user", content: at + " and more words ".repeat(20) }));
      const body = JSON.stringify({ model: "gpt-4o", messages });
      const sent = [];
      const answer = { choices: [{ message: { role: "assistant", content: "Yes." } }] };
      const ask = async (url, init) => (sent.push(JSON.parse(init.body).messages.length), Response.json(answer));
      const wrapped = withCompaction(ask, { model: { id: "gpt-4o", window: 4000 }, rungs: ["window"] });
      export const said = async () => {
        const answer = await wrapped("https://provider.example/v1/chat/completions", { method: "POST", body });
        return JSON.stringify([sent, (await answer.json()).choices[0].message.content]);
      };`,
    sign: /^\[\[\d\d\],"Yes."\]$/,
  },
  probe: {
    use: `
      import { probeReader } from "palimpsest/probe";
      let sent = "";
      const ask = async ([png], prompt) => ((sent += png.length + " " + prompt.length), "");
      export const said = async () => JSON.stringify([await probeReader(ask, { model: "gpt-5.4" }), sent]);`,
    sign: /^\[\{"model":"gpt-5.4","shape":\{"font":"8x13",.+\},"exact":0\},"(\d{4,} \d{3,}){2}"\]$/,
  },
  sessions: {
    use: `
      import { importSession } from "palimpsest/sessions";
      const node = (id, parent) => ({ id, parent, at: 1, message: { role: "user", content: id } });
      const head = { palimpsest: 1, id: "a", agent: "main", tip: "n", records: [], checkpoints: [], format: "openai-chat", meta: {}, notes: {} };
      const file = JSON.stringify({ ...head, nodes: [node("m", null), node("n", "gone")] });
      export const said = async () => {
        const { conversations: [{ nodes }], report } = await importSession(file);
        return JSON.stringify([report.reattached, nodes.map(({ parent }) => parent)]);
      };`,
    sign: /^\[1,\[null,"m"\]\]$/,
  },
};

describe.each(Object.entries(entries))("palimpsest/%s", (name, { use, sign }) => {
  const main = `import { said } from "./use.js";\ndocument.querySelector("pre").textContent = await said();`;
  const page = (imports = ""): string => `<!doctype html><meta charset="utf-8">${imports}<script type="module" src="./main.js"></script><pre></pre>`;
  let expected: string;
  beforeAll(() => void (expected = node(project(`${name}-node`, { "use.js": use, "main.js": `import { said } from "./use.js";\nprocess.stdout.write(await said());` }), "main.js")));

  test("Node", () => expect(expected).toMatch(sign));

  test("workerd", async () => {
    const folder = project(`${name}-worker`, { "use.js": use, "worker.js": `import { said } from "./use.js";\nexport default { fetch: async () => new Response(await said()) };` });
    expect((await bundle(folder, "worker.js")).sort()).toEqual([expect.stringMatching(/^core_bg.*\.wasm$/), "worker.js"]);
    const worker = workerd(folder, async () => "");
    try {
      expect(await (await worker.dispatchFetch("https://worker.example")).text()).toBe(expected);
    } finally {
      await worker.dispose();
    }
  });

  describe.skipIf(noBrowser)("Chromium", () => {
    let browser: Browser;
    beforeAll(async () => void (browser = await launch()));
    afterAll(() => browser?.close());

    /** The page comes to the same, and fetched the module once. */
    async function expectPage(url: string): Promise<void> {
      const { text, fetched } = await show(browser, url);
      expect(text).toBe(expected);
      expect(fetched.filter((path) => path.endsWith(".wasm")).length).toBe(1);
    }
    async function expectFolder(folder: string): Promise<void> {
      await using site = await serve(folder);
      await expectPage(site.url);
    }

    test("a plain script, whose import map has the main entry, too", async () => {
      const map = { imports: { palimpsest: "./node_modules/palimpsest/entry/web.js", "palimpsest/": "./node_modules/palimpsest/" } };
      const script = use.replace(`"palimpsest/${name}"`, `"palimpsest/${name}.js"`);
      await expectFolder(project(`${name}-page`, { "use.js": script, "main.js": main, "index.html": page(`<script type="importmap">${JSON.stringify(map)}</script>`) }));
    });

    test("webpack", async () => {
      const folder = project(`${name}-webpack`, { "use.js": use, "main.js": main, "index.html": page().replace("./main.js", "./dist/main.js") });
      const compiler = webpack({ mode: "production", context: folder, entry: "./main.js", output: { path: join(folder, "dist") }, performance: { hints: false } });
      const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) => compiler?.run((error, stats) => (error ? reject(error) : resolve(stats))));
      expect(stats?.toJson({ all: false, errors: true, warnings: true })).toMatchObject({ errors: [], warnings: [] });
      await expectFolder(folder);
    });

    const vite = (root: string): InlineConfig => ({ root, configFile: false, logLevel: "error", server: { port: 0, host: "127.0.0.1", ws: false } });
    const viteProject = (kind: string): string => project(`${name}-${kind}`, { "use.js": use, "main.js": main, "index.html": page() });

    test("Vite, built", async () => {
      const folder = viteProject("vite");
      await viteBuild({ ...vite(folder), mode: "production", build: { target: "es2022" } });
      await expectFolder(join(folder, "dist"));
    });

    test("Vite, in development", async () => {
      const server = await createServer(vite(viteProject("vite-dev")));
      try {
        await server.listen();
        await expectPage(server.resolvedUrls?.local[0] ?? "");
      } finally {
        await server.close();
      }
    });
  });
});

describe.skipIf(noBrowser)("palimpsest/inline beside another entry", () => {
  test.each(["before", "after"])("brings the module along, imported %s it", async (when) => {
    const [first, second] = when === "before" ? ["inline", "probe"] : ["probe", "inline"];
    const main = `
      import * as first from "palimpsest/${first}";
      import * as second from "palimpsest/${second}";
      const { modelFacts } = { ...first, ...second };
      document.querySelector("pre").textContent = (await modelFacts("gpt-5.4")).id;`;
    const folder = project(`inline-${when}`, { "main.js": main, "index.html": `<!doctype html><meta charset="utf-8"><script type="module" src="./main.js"></script><pre></pre>` });
    await viteBuild({ root: folder, configFile: false, logLevel: "error", build: { target: "es2022" } });
    const browser = await launch();
    try {
      await using site = await serve(join(folder, "dist"));
      const { text, fetched } = await show(browser, site.url);
      expect([text, fetched.filter((path) => path.endsWith(".wasm"))]).toEqual(["gpt-5.4", []]);
    } finally {
      await browser.close();
    }
  });
});
