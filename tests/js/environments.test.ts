/** The same call gives the same bytes in Node, Chromium and workerd, and no damage done to the core outlives the call. */
import { cpSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allCalls, type Call } from "./support/calls.js";
import { install, load, packageIn, workshop } from "./support/consumer.js";
import { launch, noBrowser, serve, type Site } from "./support/page.js";
import { bundle, workerd } from "./support/worker.js";

interface Damage {
  codes: (string | undefined)[];
  faults: string[];
  then: string[];
}

const shop = workshop();
const calls = allCalls();
const real = calls[0] as Call;
let here: string[];
let damagedHere: Damage;

beforeAll(async () => {
  cpSync(fileURLToPath(new URL("environments", import.meta.url)), shop, { recursive: true });
  install(shop);
  const { answers, damaged } = await load(shop, "calls.js");
  const api = await packageIn(shop);
  here = await answers(api, calls);
  damagedHere = await damaged(api, await load(shop, "node_modules/palimpsest/core.js"), real);
});

/** The calls that were answered differently; their titles are enough to run them again. */
function expectAsHere(there: string[]): void {
  const different = calls.filter((_, index) => there[index] !== here[index]).map(({ title }) => title);
  expect(different).toEqual([]);
  expect(there.length).toBe(here.length);
}

describe("Node", () => {
  test("the calls are of every kind, and most of them change something", () => {
    const names = new Set(calls.map(({ name }) => name));
    expect([...names].sort()).toEqual(["calibrate", "check", "compact", "imageCost", "measure", "modelFacts", "models", "overflow", "pages", "repair", "trim"]);
    const codes = here.map((answer) => JSON.parse(answer)?.code).filter((code) => code !== undefined);
    expect([...new Set(codes)].sort()).toEqual(["cannot-fit", "option", "unknown-model", "unrenderable", "unsupported-format"]);
    const shrunk = here.map((answer) => JSON.parse(answer)?.report).filter((report) => report?.after.tokens < report?.before.tokens);
    expect(shrunk.length).toBeGreaterThan(20);
    expect(shrunk.filter(({ records }) => records.some(({ rung }: { rung: string }) => rung === "snapshot")).length).toBeGreaterThan(5);
  });

  test("a damaged tape is an error of its call, a trap ends its call, and the next is none the worse", () => {
    expect(new Set(damagedHere.codes)).toEqual(new Set(["internal", "option", "unsupported-format"]));
    expect(damagedHere.faults).toEqual(["RuntimeError", "Error"]);
    expect(damagedHere.then).toEqual([here[0]]);
  });
});

describe.skipIf(noBrowser)("Chromium", () => {
  let browser: Browser;
  let site: Site;
  let page: Page;
  beforeAll(async () => {
    site = await serve(shop);
    browser = await launch();
    page = await browser.newPage();
    await page.goto(site.url);
    await page.waitForSelector("pre:not(:empty)");
  });
  afterAll(async () => {
    await browser?.close();
    await site?.[Symbol.asyncDispose]();
  });

  /** Arguments go as text: the driver of the browser would not carry all that JSON can. */
  const run = <T>(what: "calls" | "damaged", argument: unknown): Promise<T> =>
    page.evaluate(([name, json]) => (globalThis as any).run[name](JSON.parse(json)), [what, JSON.stringify(argument)] as const);

  test("the same bytes", async () => expectAsHere(await run("calls", calls)));
  test("the same errors for damage, and life after it", async () => expect(await run("damaged", real)).toEqual(plain(damagedHere)));
});

describe("workerd", () => {
  let worker: Miniflare;
  beforeAll(async () => {
    await bundle(shop, "worker.js");
    worker = workerd(shop, async () => "nothing is fetched");
  });
  afterAll(() => worker?.dispose());

  const run = async (asked: object): Promise<any> => {
    const response = await worker.dispatchFetch("https://worker.example", { method: "POST", body: JSON.stringify(asked) });
    return response.json();
  };

  test("the same bytes", async () => expectAsHere(await run({ calls })));
  test("the same errors for damage, and life after it", async () => expect(await run({ call: real })).toEqual(plain(damagedHere)));
});

/** As it is after a journey as JSON. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
