/** Processes that are killed in the middle of conversations, and that hold one at once. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { check, Conversation } from "../../../pkg/entry/node.js";
import { fileStore } from "../../../pkg/stores/files.js";
import type { Store } from "../../../pkg/stores/store.js";
import { type Kill, killPoints, kills } from "../stores/support/kills.js";
import { until } from "./talk.js";
import { foundIn, takeTurns, turnsIn } from "./turns.mjs";

const TURNS = 200;
const program = fileURLToPath(new URL("programs/turns.mjs", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "palimpsest-talks-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const on = (store: Store): Promise<Conversation> => Conversation.open({ store, id: "talk", format: "openai-chat", model: { id: "mine", window: 4_000 } });
/** To look at what is there: one that goes on listening would read it all again at each commit of those that come after. */
const look = (directory: string): Promise<Conversation> => {
  const { subscribe: _, ...store } = fileStore(directory);
  return on(store);
};

function start(directory: string, who: string, ...other: string[]): ChildProcess {
  return spawn(process.execPath, [program, directory, "talk", who, String(TURNS), ...other], { stdio: ["ignore", "pipe", "pipe"] });
}

/** What a program prints, line by line, until it ends. */
async function lines(child: ChildProcess, line: (text: string) => void): Promise<void> {
  let rest = "";
  child.stdout!.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    parts.forEach(line);
  });
  let complaints = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (complaints += text));
  await new Promise((resolve) => child.on("close", resolve));
  expect(complaints).toBe("");
}

async function goOnUntil(directory: string, { turn, delay }: Kill): Promise<number> {
  const child = start(directory, "one");
  let made = 0;
  let aimed = false;
  await lines(child, (text) => {
    made = Number(text);
    if (made < turn || aimed) return;
    aimed = true;
    setTimeout(() => child.kill("SIGKILL"), delay);
  });
  return made;
}

test(`killed at ${kills} random points: what opens is the last whole turn, and it can be sent`, async () => {
  for (const [round, points] of killPoints(kills, 20).entries()) {
    const directory = join(place, `killed ${round}`);
    let before = 0;
    for (const point of points) {
      const made = Math.max(before, await goOnUntil(directory, point));
      const talk = await look(directory);
      const { turn, faults } = await foundIn(talk, "one", check);
      expect(faults).toEqual([]);
      // The turn that was being made may be there or not, but whole.
      expect([made, made + 1]).toContain(turn);
      before = turn;
    }
    const talk = await look(directory);
    await takeTurns(talk, "one", TURNS, () => {});
    await talk.close();
    expect(await foundIn(await look(directory), "one", check)).toEqual({ turn: TURNS, faults: [] });
  }
}, 60_000 + kills * 5_000);

test("two processes at once: every message of both is there, both answers stand side by side, and each heard of the other's", async () => {
  const directory = join(place, "both");
  const talk = await on(fileStore(directory));
  const root = talk.append({ role: "user", content: "What do you both say?" });
  await talk.commit();
  const writers = ["one", "two"] as const;
  const ended = await Promise.all(
    writers.map(async (who, index) => {
      let last = "";
      await lines(start(directory, who, writers[1 - index]!), (text) => (last = text));
      return JSON.parse(last);
    }),
  );
  await until(() => talk.tree().length === 1 + 8 * TURNS);
  const again = await look(directory);
  for (const each of [talk, again]) {
    for (const who of writers) expect(turnsIn(each, who)).toEqual({ turn: TURNS, faults: [] });
    expect(each.tree()).toHaveLength(1 + 8 * TURNS);
    expect(each.children(root)).toHaveLength(2);
    for (const { tip } of ended) expect(each.children(tip)).toEqual([]);
  }
  console.log(`heard: ${ended.map(({ times }) => times).join(" and ")} times`);
  for (const { messages, times, path } of ended) {
    expect([messages, path]).toEqual([4 * TURNS, 1 + 4 * TURNS]);
    // While it wrote itself, not only when it was done.
    expect(times).toBeGreaterThan(TURNS / 20);
  }
  expect(ended.map(({ tip }) => tip)).toContain(again.tip);
  expect(ended[0].tip).not.toBe(ended[1].tip);
}, 180_000);
