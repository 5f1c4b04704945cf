/** One process at a time: a file beside what is locked, which says who holds it and is touched as long as it is held. */
import { randomUUID } from "node:crypto";
import { open, readFile, readlink, stat, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { codeOf, makeFolder, removeFile, unlessAbsent } from "./disk.js";

/** How often a lock is touched while it is held, in milliseconds. */
const BEAT = 1_000;

/** After this long without a touch whoever held it is taken for dead, in milliseconds: it may be on another machine. */
const SILENCE = 10_000;

export interface Lock {
  /** A name for what only the holder writes. When the holder dies, what lies at `path`.`token`.part is taken away with the lock. */
  readonly draft: string;
  /** Throws when the lock was taken away, which happens to a process that was stopped for long: the work is then done again. */
  confirm(): Promise<void>;
}

class Lost extends Error {}

/** Those of this process who wait for the same lock: they need not ask the disk. */
const queues = new Map<string, Promise<unknown>>();

/** Runs `work` while no other process, and no one else in this, runs any under the same `path`. Waits as long as that takes; `silence`: for
 *  how long after the last sign of life of whoever holds it. */
export async function locked<T>(path: string, work: (lock: Lock) => Promise<T>, silence = SILENCE): Promise<T> {
  const before = queues.get(path) ?? Promise.resolve();
  const turn = before.then(() => underLock(path, work, silence));
  const settled = turn.catch(() => {});
  queues.set(path, settled);
  try {
    return await turn;
  } finally {
    if (queues.get(path) === settled) queues.delete(path);
  }
}

async function underLock<T>(path: string, work: (lock: Lock) => Promise<T>, silence: number): Promise<T> {
  for (;;) {
    const held = await new Holder(path).take(silence);
    try {
      return await work(held);
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
    } finally {
      await held.release();
    }
  }
}

class Holder implements Lock {
  readonly #token = randomUUID();
  readonly #file: string;
  readonly draft: string;
  #own = "";
  #beating: NodeJS.Timeout | undefined;

  constructor(readonly path: string) {
    this.#file = `${path}.lock`;
    this.draft = draftOf(path, this.#token);
  }

  async take(silence: number): Promise<this> {
    await makeFolder(dirname(this.path));
    this.#own = JSON.stringify({ token: this.#token, pid: process.pid, place: await place() });
    const watched = new Watched(this.path, this.#file, silence);
    while (!(await created(this.#file, this.#own))) {
      if (await watched.isDead()) await watched.takeAway();
      // At random, so that those who wait do not all come at once.
      else await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 20));
    }
    this.#beating = setInterval(() => {
      const now = new Date();
      utimes(this.#file, now, now).catch(() => {});
    }, BEAT);
    this.#beating.unref?.();
    return this;
  }

  async confirm(): Promise<void> {
    if ((await contents(this.#file)) !== this.#own) throw new Lost("the lock was taken away");
  }

  async release(): Promise<void> {
    clearInterval(this.#beating);
    if ((await contents(this.#file)) === this.#own) await removeFile(this.#file);
  }
}

/** A lock of someone else's, watched for signs of life. */
class Watched {
  #seen = "";
  #since = performance.now();

  constructor(
    readonly path: string,
    readonly file: string,
    readonly silence: number,
  ) {}

  /** Times are compared with what was seen before, by this process's own clock: those of two machines need not agree. */
  async isDead(): Promise<boolean> {
    const [owner, facts] = await Promise.all([contents(this.file), unlessAbsent(stat(this.file))]);
    const seen = `${owner} ${facts?.mtimeMs}`;
    if (seen !== this.#seen) {
      this.#seen = seen;
      this.#since = performance.now();
    }
    if (owner === undefined || !facts) return false;
    return performance.now() - this.#since > this.silence || (await isGone(owner));
  }

  /** Takes a dead lock away, unless someone else is doing so: two who each took away "the" lock could take away one that is alive. */
  async takeAway(): Promise<void> {
    const taking = `${this.file}.takeover`;
    if (!(await created(taking, ""))) {
      const facts = await unlessAbsent(stat(taking));
      // Whoever was at it died in those few milliseconds.
      if (facts && performance.now() - this.#since > 2 * this.silence) await removeFile(taking);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return;
    }
    try {
      const owner = await contents(this.file);
      const facts = await unlessAbsent(stat(this.file));
      if (owner === undefined || `${owner} ${facts?.mtimeMs}` !== this.#seen) return;
      const { token } = ownerOf(owner);
      if (token !== undefined) await removeFile(draftOf(this.path, token));
      await removeFile(this.file);
    } finally {
      await removeFile(taking);
    }
  }
}

const draftOf = (path: string, token: string): string => `${path}.${token}.part`;

/** Makes a file that must not exist; whether it did not. */
async function created(file: string, text: string): Promise<boolean> {
  const handle = await open(file, "wx").catch((error: unknown) => {
    // Windows says EPERM of a file that is just being removed.
    if (codeOf(error) === "EEXIST" || (process.platform === "win32" && codeOf(error) === "EPERM")) return undefined;
    throw error;
  });
  if (!handle) return false;
  try {
    await handle.writeFile(text);
    return true;
  } catch (error) {
    await removeFile(file).catch(() => {});
    throw error;
  } finally {
    await handle.close();
  }
}

const contents = (file: string): Promise<string | undefined> => unlessAbsent(readFile(file, "utf8"));

interface Owner {
  token: string | undefined;
  pid: number | undefined;
  place: string | undefined;
}

/** Who a lock says it belongs to: the file may hold anything. */
function ownerOf(text: string): Owner {
  try {
    const { token, pid, place } = JSON.parse(text) as Record<string, unknown>;
    return {
      token: typeof token === "string" && /^[0-9a-f-]{36}$/.test(token) ? token : undefined,
      pid: typeof pid === "number" && pid > 0 ? pid : undefined,
      place: typeof place === "string" ? place : undefined,
    };
  } catch {
    return { token: undefined, pid: undefined, place: undefined };
  }
}

/** Whether the owner was a process of this very place, and is no more: then there is no need to wait. */
async function isGone(text: string): Promise<boolean> {
  const owner = ownerOf(text);
  if (owner.pid === undefined || owner.place !== (await place())) return false;
  try {
    process.kill(owner.pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

let here: Promise<string> | undefined;

/** Where numbers of processes mean the same: this boot of this machine, and on Linux this name space (each container has its own). */
function place(): Promise<string> {
  here ??= (async () => {
    if (process.platform !== "linux") return hostname();
    try {
      const [boot, space] = await Promise.all([readFile("/proc/sys/kernel/random/boot_id", "utf8"), readlink("/proc/self/ns/pid")]);
      return `${boot.trim()} ${space}`;
    } catch {
      return randomUUID(); // nowhere that anyone else is
    }
  })();
  return here;
}
