/** The shared suite on a disk, and what only files have to answer for. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fileStore } from "../../../pkg/stores/files.js";
import { locked } from "../../../pkg/stores/files/lock.js";
import { isConversation, nameOf } from "../../../pkg/stores/files/names.js";
import { workshop } from "../support/consumer.js";
import { storeSuite } from "./suite.js";
import { bundleProgram } from "./support/bundle.js";
import { after, chain, change } from "./support/talk.js";

const shop = workshop();
let count = 0;
const place = (): string => join(shop, `place ${count++}`);

describe("fileStore", () => {
  const suite = storeSuite(() => {
    const directory = place();
    return { open: () => fileStore(directory) };
  });
  for (const { name, run } of suite) test(name, run);
});

describe("names of files", () => {
  const ids = ["", ".", "..", "../../etc/passwd", "/absolute", "C:\\x", "con", "aux.json", "a".repeat(5_000), "字字字", "\u0000", "a\nb", "*?<>|", "-rf", "é", "e\u0301", "\ud800", "\udbff"];

  test("are short, plain, in lower case, and no two the same", () => {
    const names = ids.flatMap((id) => [nameOf(id, "main"), nameOf("talk", id)]);
    for (const name of names) expect(name).toMatch(/^[a-z0-9-]{0,40}_[0-9a-f]{32}_[0-9a-f]{32}\.json$/);
    expect(new Set(names).size).toBe(names.length);
    expect(names.every(isConversation)).toBe(true);
    // The border between id and agent is no letter of either.
    expect(nameOf("a", "b_c")).not.toBe(nameOf("a_b", "c"));
  });

  test("lie in the directory, whatever the id", async () => {
    const directory = place();
    for (const id of ids) await fileStore(directory).commit(id, "main", 0, change([]));
    expect(readdirSync(directory).filter(isConversation).length).toBe(ids.length);
    expect(readdirSync(directory).length).toBe(ids.length);
  });
});

describe("a file", () => {
  test("is JSON in lines: a head, a message a line, a sum", async () => {
    const directory = place();
    const store = fileStore(directory);
    const nodes = chain(null, "one", "two\nlines");
    await store.commit("My talk: é!", "main", 0, change(nodes.slice(0, 1)));
    await store.commit("My talk: é!", "main", 1, change(nodes.slice(1)));
    const [name = ""] = readdirSync(directory);
    expect(name).toMatch(/^my-talk-_/);
    const text = readFileSync(join(directory, name), "utf8");
    expect(text.split("\n").length).toBe(5);
    expect(JSON.parse(text)).toMatchObject({ palimpsest: 1, id: "My talk: é!", agent: "main", revision: 2, messages: 2, blobs: [], nodes, head: { tip: nodes[1]!.id } });
  });

  test("that is no conversation is left alone", async () => {
    const directory = place();
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "notes.json"), "mine");
    const store = fileStore(directory);
    await store.commit("a", "main", 0, change([]));
    await store.remove("a");
    expect([await store.list(), readFileSync(join(directory, "notes.json"), "utf8")]).toEqual([[], "mine"]);
  });

  test("of a long conversation is listed without its messages being read", async () => {
    const directory = place();
    const store = fileStore(directory);
    for (let index = 0; index < 3; index++) await store.commit(`long ${index}`, "main", 0, change(chain(null, ...Array.from({ length: 40 }, () => "x".repeat(1_000)))));
    const listed = await store.list();
    expect(listed.map(({ messages }) => messages)).toEqual([40, 40, 40]);
    for (const file of readdirSync(directory).filter((name) => name.endsWith(".json"))) {
      const path = join(directory, file);
      writeFileSync(path, readFileSync(path, "utf8").split("\n", 1)[0]!); // the first line is all that is left
    }
    expect(await store.list()).toEqual(listed);
    await expect(store.load("long 0", "main")).rejects.toMatchObject({ code: "corrupt-store" });
  });

  test("of nobody is not made by looking for it", async () => {
    const directory = place();
    const store = fileStore(directory);
    await store.load("a", "main");
    await store.list();
    await store.remove("a");
    await store.blob!("a".repeat(64));
    expect(existsSync(directory)).toBe(false);
  });
});

describe("a lock", () => {
  const holder = (path: string, fields: object): void => writeFileSync(`${path}.lock`, JSON.stringify(fields));
  /** How long one waits for it, when a second and a half without a touch is death. */
  const took = async (path: string): Promise<number> => {
    const start = performance.now();
    await locked(path, async () => {}, 1_500);
    return performance.now() - start;
  };
  const space = (): string => {
    const lock = JSON.parse(readFileSync(join(shop, "probe.lock"), "utf8"));
    return lock.place;
  };
  /** A number that no process has: one that just ended. */
  const dead = (): number => Number(execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }));

  test("of a process that is dead is taken away at once, with what it was writing", async () => {
    await locked(join(shop, "probe"), async () => writeFileSync(join(shop, "place"), space()));
    const path = join(shop, "dead");
    const token = "01234567-89ab-cdef-0123-456789abcdef";
    holder(path, { token, pid: dead(), place: readFileSync(join(shop, "place"), "utf8") });
    writeFileSync(`${path}.${token}.part`, "half");
    expect(await took(path)).toBeLessThan(1_000);
    expect([existsSync(`${path}.lock`), existsSync(`${path}.${token}.part`)]).toEqual([false, false]);
  });

  test("of a process elsewhere, or of nobody who can be told, is waited for until it has been silent for long", async () => {
    const paths = ["elsewhere", "nobody"].map((name) => join(shop, name));
    holder(paths[0]!, { token: "x", pid: dead(), place: "another machine" });
    writeFileSync(`${paths[1]}.lock`, "");
    const waits = await Promise.all(paths.map(took));
    for (const wait of waits) {
      expect(wait).toBeGreaterThan(1_500);
      expect(wait).toBeLessThan(4_000);
    }
  });

  test("that is touched is alive, however long it is held", async () => {
    const path = join(shop, "alive");
    holder(path, { token: "x", pid: dead(), place: "another machine" });
    let at = Date.now() / 1_000;
    const touching = setInterval(() => utimesSync(`${path}.lock`, at, ++at), 300);
    const waiting = took(path);
    expect(await Promise.race([waiting, new Promise((resolve) => setTimeout(() => resolve("still waiting"), 4_000))])).toBe("still waiting");
    clearInterval(touching);
    await waiting;
  });

  test("is touched by whoever holds it", async () => {
    const path = join(shop, "held");
    await locked(path, async () => {
      const other = spawnSync(process.execPath, ["-e", "setTimeout(() => {}, 2_500)"]);
      expect(other.status).toBe(0);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect(Date.now() - statSync(`${path}.lock`).mtimeMs).toBeLessThan(1_400);
    });
  }, 10_000);

  test("that was taken away from its holder makes the work be done again, and does not harm the new one", async () => {
    const path = join(shop, "lost");
    let turns = 0;
    await locked(path, async (lock) => {
      if (++turns === 1) holder(path, { token: "thief", pid: process.pid, place: "another machine" });
      setTimeout(() => turns === 1 && execFileSync("rm", ["-f", `${path}.lock`]), 50);
      await lock.confirm();
    });
    expect(turns).toBe(2);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  test("of the same process is a queue", async () => {
    const order: string[] = [];
    const turn = (name: string) =>
      locked(join(shop, "queue"), async () => {
        order.push(`${name} in`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        order.push(`${name} out`);
      });
    await Promise.all([turn("a"), turn("b"), turn("c")]);
    expect(order).toEqual(["a in", "a out", "b in", "b out", "c in", "c out"]);
  });
});

describe("no room", () => {
  /** Runs a program that fills a directory until it is refused, and tells what came of it. */
  const fill = (program: string, directory: string, limit: string): any => {
    const { stdout, stderr } = spawnSync("bash", ["-c", `${limit}; exec "$0" "$1" "$2"`, process.execPath, program, directory], { encoding: "utf8" });
    expect(stderr).toBe("");
    return JSON.parse(stdout);
  };
  const expected = { code: "quota", name: "QuotaError", same: true, left: [], goesOn: true };

  test.skipIf(process.platform === "win32")("for a file that long: QuotaError, nothing half-written, and it goes on once there is room", async () => {
    const program = await bundleProgram(shop, "fill.ts");
    expect(fill(program, place(), "ulimit -f 400")).toMatchObject(expected);
  });

  test("on the disk", async ({ skip }) => {
    const disk = place();
    mkdirSync(disk, { recursive: true });
    // A disk of two megabytes, where one may be had.
    if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", disk]).status !== 0) skip("no disk can be mounted here");
    try {
      const program = await bundleProgram(shop, "fill.ts");
      expect(fill(program, join(disk, "talks"), "true")).toMatchObject({ ...expected, cause: "ENOSPC" });
    } finally {
      spawnSync("umount", [disk]);
    }
  });

  test("for a directory that is none, or may not be written", async () => {
    const file = place();
    writeFileSync(file, "a file");
    await expect(fileStore(file).commit("a", "main", 0, change([]))).rejects.toMatchObject({ code: "option", message: expect.stringMatching(/cannot be used/) });
    await expect(fileStore(join(file, "below")).load("a", "main")).rejects.toMatchObject({ code: "option" });
    if (process.getuid?.() === 0) return; // root may write anywhere
    const closed = place();
    mkdirSync(closed);
    chmodSync(closed, 0o500);
    await expect(fileStore(closed).commit("a", "main", 0, change([]))).rejects.toMatchObject({ code: "option" });
  });
});

test("a directory reached by two names is one place", async () => {
  const directory = place();
  mkdirSync(directory);
  symlinkSync(directory, `${directory} again`);
  const nodes = chain(null, "one");
  await fileStore(directory).commit("a", "main", 0, change(nodes));
  const other = fileStore(`${directory} again`);
  await other.commit("a", "main", 1, after((await other.load("a", "main"))!, chain(nodes[0]!.id, "two")));
  expect((await fileStore(directory).load("a", "main"))?.nodes.length).toBe(2);
});
