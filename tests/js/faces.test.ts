/** The optional face for Chinese, Japanese and Korean: what is in it, and that each environment finds it. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { createServer as viteServer, build as viteBuild } from "vite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { install, load, node, workshop } from "./support/consumer.js";
import { launch, noBrowser, serve, show } from "./support/page.js";
import { bundle, workerd } from "./support/worker.js";

const shop = workshop();
const installed = join(inject("installed"), "palimpsest/faces");
const hash = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
/** The face as it is built, before it is packed. */
const font: Buffer = (await load(fileURLToPath(new URL("../..", import.meta.url)), "scripts/faces-cjk.mjs")).cjkFont();

/** A folder with these files and the package. */
function project(name: string, files: Record<string, string>): string {
  const folder = join(shop, name);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return install(folder);
}

describe("the font", () => {
  const view = new DataView(font.buffer, font.byteOffset, font.length);
  const tables = new Map<string, number>();
  for (let i = 0; i < view.getUint16(4); i++) tables.set(font.toString("latin1", 12 + 16 * i, 16 + 16 * i), view.getUint32(20 + 16 * i));
  const at = (table: string, offset: number): number => (tables.get(table) ?? NaN) + offset;

  /** The glyph of a letter by the font's own map, 0 for none. */
  function glyph(letter: string): number {
    const code = letter.codePointAt(0) ?? 0;
    const map = at("cmap", view.getUint32(at("cmap", 8)));
    for (let group = 0; group < view.getUint32(map + 12); group++) {
      const [first = 0, last = 0, from = 0] = [16, 20, 24].map((offset) => view.getUint32(map + offset + 12 * group));
      if (code >= first && code <= last) return from + code - first;
    }
    return 0;
  }

  /** Its rows of pixels: of the whole ems, the second range of the strike. */
  function drawn(letter: string): string[] {
    const range = at("EBLC", 56 + view.getUint32(at("EBLC", 56 + 8 + 4)));
    const first = view.getUint16(at("EBLC", 56 + 8));
    const image = at("EBDT", view.getUint32(range + 4)) + view.getUint32(range + 8) * (glyph(letter) - first);
    const bits = [...font.subarray(image, image + 18)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
    return bits.replaceAll("0", ".").replaceAll("1", "#").match(/.{12}/g) ?? [];
  }

  test("begins as TrueType and has what a font of bitmaps needs", () => {
    expect(view.getUint32(0)).toBe(0x10000);
    expect([...tables.keys()]).toEqual(["EBDT", "EBLC", "OS/2", "cmap", "head", "hhea", "hmtx", "maxp", "name", "post"]);
    expect([view.getUint16(at("head", 18)), view.getUint16(at("maxp", 4))]).toEqual([1200, 31135]);
    expect(view.getUint32(at("head", 12))).toBe(0x5f0f3cf5);
  });

  test.each([
    ["simplified Chinese", "简体中文压缩上下文窗口保留任务与最新的对话错误"],
    ["traditional Chinese", "繁體中文壓縮上下文視窗保留任務與最新的對話錯誤"],
    ["Japanese", "日本語会話の文脈を圧縮し最新のやり取りを残すカタカナ々ー"],
    ["Korean", "한국어대화의맥락을압축하고최신내용을남깁니다훨씬뷁"],
    ["punctuation", "。、「」『』《》【】·…ー～！？（），．：；"],
  ])("has %s", (_, letters) => {
    expect([...letters].filter((letter) => !glyph(letter))).toEqual([]);
  });

  test.each<[string, number, string]>([
    ["gb2312", 3755, "the first level, simplified"],
    ["big5", 5401, "the first level, traditional"],
    ["shift_jis", 2965, "the first level, Japanese"],
    ["euc-kr", 2350, "the syllables, Korean"],
  ])("has all of %s that is common", (encoding, count) => {
    const letters = common(encoding);
    expect(letters.length).toBe(count);
    expect(letters.filter((letter) => !glyph(letter))).toEqual([]);
  });

  test("draws a letter as it should look", () => {
    expect(drawn("国")).toEqual([
      "............",
      "###########.",
      "#.........#.",
      "#.#######.#.",
      "#....#....#.",
      "#....#....#.",
      "#..#####..#.",
      "#....#....#.",
      "#....#.#..#.",
      "#.#######.#.",
      "#.........#.",
      "###########.",
    ]);
  });

  test("has no private letters, and bears a name that is not reserved", () => {
    expect(glyph("\ue000") + glyph("\uf8ff")).toBe(0);
    const names = new TextDecoder("utf-16be").decode(font.subarray(at("name", 0), at("post", 0)));
    expect(names).toContain("Palimpsest CJK");
    expect(names.replace(/Made from Fusion Pixel/, "")).not.toMatch(/Fusion Pixel|Ark Pixel/);
  });
});

/** The letters of the rows of an encoding that hold the common ones. */
function common(encoding: string): string[] {
  const rows: Record<string, (lead: number, trail: number) => boolean> = {
    gb2312: (lead, trail) => lead >= 0xb0 && lead <= 0xd7 && trail >= 0xa1,
    big5: (lead, trail) => lead >= 0xa4 && lead <= 0xc6 && (trail >= 0xa1 || trail < 0x7f) && !(lead === 0xc6 && trail > 0x7e),
    shift_jis: (lead, trail) => (lead > 0x88 && lead < 0x98) || (lead === 0x88 && trail >= 0x9f) || (lead === 0x98 && trail <= 0x72),
    "euc-kr": (lead, trail) => lead >= 0xb0 && lead <= 0xc8 && trail >= 0xa1,
  };
  const decoder = new TextDecoder(encoding, { fatal: true });
  const letters = new Set<string>();
  for (let lead = 0x81; lead < 0xff; lead++) {
    for (let trail = 0x40; trail < 0xff; trail++) {
      if (!rows[encoding]?.(lead, trail)) continue;
      try {
        const letter = decoder.decode(Uint8Array.of(lead, trail));
        if ([...letter].length === 1 && !/[\ue000-\uf8ff]/.test(letter)) letters.add(letter);
      } catch {
        // No letter has these bytes.
      }
    }
  }
  return [...letters];
}

describe("the package", () => {
  test("has it packed, with its licence beside it, and the script in the three ways", () => {
    expect(readdirSync(installed).filter((name) => !name.endsWith(".d.ts")).sort()).toEqual(
      ["LICENSE-cjk.txt", "cjk.bin", "cjk.js", "cjk.node.js", "cjk.workerd.js", "unpack.js"]);
    expect(statSync(join(installed, "cjk.bin")).size).toBeLessThan(300_000);
    const licence = readFileSync(join(installed, "LICENSE-cjk.txt"), "utf8");
    expect(licence).toMatch(/^The font in cjk\.bin, "Palimpsest CJK", is a changed version of Fusion Pixel/);
    for (const part of ["SIL OPEN FONT LICENSE Version 1.1", "TakWolf", "Cubic 11", "Minseo Lee"]) expect(licence).toContain(part);
  });

  test("Node reads it, once", () => {
    const main = `
      import { createHash } from "node:crypto";
      import { cjkFace } from "palimpsest/faces/cjk";
      const [face, again] = await Promise.all([cjkFace(), cjkFace()]);
      console.log(face === again, face.constructor.name, createHash("sha256").update(face).digest("hex"));`;
    expect(node(project("node", { "main.mjs": main }), "main.mjs").trim()).toBe(`true Uint8Array ${hash(font)}`);
  });

  test("workerd has it as a data module", async () => {
    const folder = project("worker", {
      "worker.js": `
        import { cjkFace } from "palimpsest/faces/cjk";
        export default { fetch: async () => new Response(await cjkFace()) };`,
    });
    expect((await bundle(folder, "worker.js")).sort()).toEqual([expect.stringMatching(/^cjk.*\.bin$/), "worker.js"]);
    const worker = workerd(folder, async () => "");
    try {
      const answer = await worker.dispatchFetch("https://worker.example");
      expect(hash(new Uint8Array(await answer.arrayBuffer()))).toBe(hash(font));
    } finally {
      await worker.dispose();
    }
  });
});

describe.skipIf(noBrowser)("Chromium fetches it when asked for", () => {
  let browser: Browser;
  beforeAll(async () => void (browser = await launch()));
  afterAll(() => browser?.close());

  const html = `<!doctype html><meta charset="utf-8">
    <script type="importmap">{ "imports": { "palimpsest/faces/cjk": "./node_modules/palimpsest/faces/cjk.js" } }</script>
    <script type="module" src="./main.js"></script><pre></pre>`;
  const main = `
    import { cjkFace } from "palimpsest/faces/cjk";
    const before = performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".bin")).length;
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await cjkFace()));
    document.querySelector("pre").textContent = before + " " + [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");`;

  async function expectSite(folder: string, where: RegExp): Promise<void> {
    await using site = await serve(folder);
    await expectPage(site.url, where);
  }

  async function expectPage(url: string, where: RegExp): Promise<void> {
    const { text, fetched } = await show(browser, url);
    expect(text).toBe(`0 ${hash(font)}`);
    expect(fetched.filter((path) => path.endsWith(".bin"))).toEqual([expect.stringMatching(where)]);
  }

  test("a plain script", async () => {
    await expectSite(project("page", { "index.html": html, "main.js": main }), /^\/node_modules\/palimpsest\/faces\/cjk\.bin$/);
  });

  const bare = html.replace(/<script type="importmap">.*<\/script>/, "");

  test("Vite, built", async () => {
    const root = project("vite", { "index.html": bare, "main.js": main });
    await viteBuild({ root, configFile: false, logLevel: "error", build: { target: "es2022" } });
    await expectSite(join(root, "dist"), /^\/assets\/cjk-.+\.bin$/);
  });

  test("Vite, in development", async () => {
    const root = project("vite-dev", { "index.html": bare, "main.js": main });
    const server = await viteServer({ root, configFile: false, logLevel: "error", server: { port: 0, host: "127.0.0.1", ws: false } });
    try {
      await server.listen();
      await expectPage(server.resolvedUrls?.local[0] ?? "", /\/palimpsest\/faces\/cjk\.bin$/);
    } finally {
      await server.close();
    }
  });
});

describe("where it is not served", () => {
  let server: Server;
  let answer: { status: number; body: string | Uint8Array };
  beforeAll(async () => {
    server = createServer((_, response) => void response.writeHead(answer.status).end(answer.body));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => void server.close());
  beforeEach(() => {
    const { port } = server.address() as AddressInfo;
    const { fetch } = globalThis;
    vi.stubGlobal("fetch", () => fetch(`http://127.0.0.1:${port}/cjk.bin`));
  });
  afterEach(() => void vi.unstubAllGlobals());

  test("the error has code load-failed and says what to do; the next call tries again", async () => {
    const packed = readFileSync(join(installed, "cjk.bin"));
    const { cjkFace } = await import("../../pkg/faces/cjk.js");
    for (answer of [
      { status: 404, body: "" },
      { status: 200, body: "<!doctype html>" },
      { status: 200, body: packed.subarray(0, 1000) },
    ]) {
      await expect(cjkFace()).rejects.toMatchObject({ name: "PalimpsestError", code: "load-failed", message: expect.stringMatching(/ did not load: .+\. Serve the file/) });
    }
    answer = { status: 200, body: packed };
    expect(hash(await cjkFace())).toBe(hash(font));
  });
});
