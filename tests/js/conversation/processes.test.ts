/** Processes that are killed in the middle of conversations, and that hold one at once. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { check, Conversation } from "../../../pkg/entry/node.js";
import { fileStore } from "../../../pkg/stores/files.js";
import { type Kill, killPoints, kills } from "../stores/support/kills.js";
import { takeTurns, turnsIn } from "./turns.mjs";

const TURNS = 200;
const program = fileURLToPath(new URL("programs/turns.mjs", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "palimpsest-talks-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const open = (directory: string): Promise<Conversation> => Conversation.open({ store: fileStore(directory), id: "talk", format: "openai-chat", model: { id: "mine", window: 4_000 } });

function start(directory: string, who: string): ChildProcess {
  return spawn(process.execPath, [program, directory, "talk", who, String(TURNS)], { stdio: ["ignore", "pipe", "pipe"] });
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
      const talk = await open(directory);
      const { turn, faults } = turnsIn(talk, "one");
      expect(faults).toEqual([]);
      expect([made, made + 1]).toContain(turn);
      expect(talk.openCalls()).toEqual([]);
      if (talk.messages().length > 0) {
        const { body, report } = await talk.request({ onUnfit: "return" });
        expect(await check(body, { format: "openai-chat" })).toEqual([]);
        expect(report.fits).toBe(true);
      }
      before = turn;
    }
    const talk = await open(directory);
    await takeTurns(talk, "one", TURNS, () => {});
    await talk.close();
    expect(turnsIn(await open(directory), "one")).toEqual({ turn: TURNS, faults: [] });
  }
}, 60_000 + kills * 5_000);

test("two processes at once: every message of both is there, each on its own branch", async () => {
  const directory = join(place, "both");
  await Promise.all(["one", "two"].map((who) => lines(start(directory, who), () => {})));
  const talk = await open(directory);
  for (const who of ["one", "two"]) expect(turnsIn(talk, who)).toEqual({ turn: TURNS, faults: [] });
  expect(talk.tree()).toHaveLength(8 * TURNS);
}, 180_000);
