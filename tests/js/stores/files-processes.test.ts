/** Files under processes that are killed, and that write at once. */
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { fileStore } from "../../../pkg/stores/files.js";
import { workshop } from "../support/consumer.js";
import { bundleProgram } from "./support/bundle.js";
import { type Kill, killPoints, kills } from "./support/kills.js";
import { missingOf, talkOn, TURNS, turnsIn } from "./support/turns.js";

const shop = workshop();
let talk: string;
let along: string;
beforeAll(async () => {
  talk = await bundleProgram(shop, "talk.ts");
  along = await bundleProgram(shop, "along.ts");
});

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

/** Lets the conversation go on until the point, and then no further. The last turn that was known to be made. */
async function goOnUntil(directory: string, id: string, { turn, delay }: Kill): Promise<number> {
  const child = spawn(process.execPath, [talk, directory, id], { stdio: ["ignore", "pipe", "pipe"] });
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

test(`a process killed at ${kills} random points: what is loaded is always what was committed last`, async () => {
  let within = 0;
  for (const [round, points] of killPoints(kills, 12).entries()) {
    const directory = join(shop, `killed ${round}`);
    let before = 0;
    for (const point of points) {
      const made = Math.max(before, await goOnUntil(directory, "talk", point));
      const { turn, faults } = await turnsIn(fileStore(directory), "talk");
      expect(faults).toEqual([]);
      // The turn that was being made may be there or not, but whole.
      expect([made, made + 1]).toContain(turn);
      if (readdirSync(directory).some((name) => name.endsWith(".lock"))) within++;
      before = turn;
    }
    // And it can be gone on with; what the dead left behind is cleared away.
    await talkOn(fileStore(directory), "talk", TURNS, () => {});
    expect(await turnsIn(fileStore(directory), "talk")).toEqual({ turn: TURNS, faults: [] });
    expect(readdirSync(directory).filter((name) => !/^(blobs|floor|.*\.json)$/.test(name))).toEqual([]);
  }
  console.log(`${within} of ${kills} kills fell within a commit`);
}, 60_000 + kills * 3_000);

test("two processes that write at once lose nothing of one another", async () => {
  const directory = join(shop, "along");
  const conflicts: number[] = [];
  await Promise.all(
    ["one", "two"].map((who) => {
      const child = spawn(process.execPath, [along, directory, "talk", who, String(TURNS)], { stdio: ["ignore", "pipe", "pipe"] });
      return lines(child, (text) => conflicts.push(Number(text)));
    }),
  );
  expect(await missingOf(fileStore(directory), "talk", ["one", "two"], TURNS)).toEqual([]);
  console.log(`conflicts: ${conflicts.join(" and ")}`);
  // They did come in each other's way.
  expect(Math.min(...conflicts)).toBeGreaterThan(0);
}, 120_000);
