/** Conversations in a Durable Object of real workerd: opened again by another object, branched, copied, written by two requests at once. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, test } from "vitest";
import { generator } from "../support/random.js";
import { workshop } from "../support/consumer.js";
import { bundle } from "../support/worker.js";

const TURNS = 200;
const shop = workshop();
const kept = join(shop, "kept");
let worker: Miniflare;

/** workerd itself; what objects store lies in a folder. */
const start = (): Miniflare =>
  new Miniflare({
    modules: true,
    modulesRoot: join(shop, "dist"),
    scriptPath: join(shop, "dist/worker.js"),
    modulesRules: [{ type: "CompiledWasm", include: ["**/*.wasm"] }],
    compatibilityDate: "2025-01-01",
    durableObjects: { OBJECTS: { className: "Talks", useSQLite: true } },
    durableObjectsPersist: kept,
  });

beforeAll(async () => {
  mkdirSync(kept, { recursive: true });
  await bundle(shop, fileURLToPath(new URL("workers/object.ts", import.meta.url)));
  worker = start();
});
afterAll(() => worker?.dispose());

async function send(name: string, ...asked: unknown[]): Promise<any> {
  const response = await worker.dispatchFetch(`https://worker.example/${name}`, { method: "POST", body: JSON.stringify(asked) });
  return response.json();
}

async function ask(name: string, ...asked: unknown[]): Promise<any> {
  const { failed, ended, told } = await send(name, ...asked);
  expect([failed, ended]).toEqual([undefined, undefined]);
  return told;
}

/** The object in memory goes; what it stored stays. */
const forget = (name: string): Promise<any> => send(name, "abort");

test("what was committed is opened by a new object, and by a new process, and sends what was sent", async () => {
  const made = await ask("again", "turns", 30);
  expect(made.messages).toHaveLength(120);
  // Something was laid over the path, and is there again, too.
  expect(made.timeline).toBeGreaterThan(120);
  const { born } = await send("again", "made");
  await forget("again");
  for (const renew of [() => forget("again"), async () => (await worker.dispose(), (worker = start()))]) {
    const { faults, turn, ...found } = await ask("again", "found");
    expect([turn, faults]).toEqual([30, []]);
    expect(found).toEqual(made);
    expect((await send("again", "made")).born).not.toBe(born);
    await renew();
  }
  expect((await ask("again", "turns", 31)).messages.slice(0, 120)).toEqual(made.messages);
});

test("branches, labels, a rewind and a copy, opened by a new object", async () => {
  await ask("tree", "grow");
  await forget("tree");
  expect(await ask("tree", "grown")).toEqual({
    branches: [["more", "of it"], ["something else", "that"], ["neither was right"]],
    title: "Grown",
    copied: ["question", "answer", "only in the copy"],
    shared: 0,
    violations: [],
    now: ["question", "answer", "again"],
    listed: [["tree", 8], ["copy", 3]],
    again: "conflict",
  });
});

test("two requests at once: every message of both is there, both answers stand side by side, and each heard of the other's", async () => {
  await ask("both", "share");
  const ended = await Promise.all([ask("both", "along", "one", "two", TURNS), ask("both", "along", "two", "one", TURNS)]);
  await forget("both");
  const whole = { turn: TURNS, faults: [] };
  const { tip, ...shared } = await ask("both", "shared");
  expect(shared).toEqual({ whole: [whole, whole], all: 1 + 8 * TURNS, answers: 2 });
  console.log(`heard: ${ended.map(({ times }) => times).join(" and ")} times`);
  for (const { messages, times, path } of ended) {
    expect([messages, path]).toEqual([4 * TURNS, 1 + 4 * TURNS]);
    expect(times).toBeGreaterThan(TURNS / 20);
  }
  expect(ended.map(({ tip }) => tip)).toContain(tip);
}, 60_000);

test("an object that is ended at random points leaves whole turns, and all that anyone outside was told of", async () => {
  const random = generator(200);
  let known = 0;
  for (let kill = 0; kill < 6; kill++) {
    const writing = send("ended", "turns", TURNS);
    const until = known + 1 + Math.floor(random() * 20);
    let made = 0;
    while (made < until) made = await ask("ended", "made");
    await forget("ended");
    expect((await writing).ended).toMatch(/ended/);
    const { turn, faults } = await ask("ended", "found");
    expect(faults).toEqual([]);
    expect(turn).toBeGreaterThanOrEqual(made);
    known = turn;
  }
  expect(known).toBeLessThan(TURNS);
  await ask("ended", "turns", TURNS);
  expect(await ask("ended", "found")).toMatchObject({ turn: TURNS, faults: [] });
}, 60_000);
