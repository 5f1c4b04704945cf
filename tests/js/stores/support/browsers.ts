/** Browsers started as programs, without a driver: so that they can be killed, and any browser will do. The page speaks through the server. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const first = (...paths: (string | undefined)[]): string | undefined => paths.find((path) => path && existsSync(path));

export const chromium = first(process.env.CHROME, "/usr/bin/chromium");
export const firefox = first(process.env.FIREFOX, "/usr/bin/firefox-esr", "/usr/bin/firefox");

export class Program {
  readonly #process: ChildProcess;
  readonly ended: Promise<void>;

  constructor(command: string, args: string[]) {
    // A group of its own, so that all its processes can be ended together.
    this.#process = spawn(command, args, { stdio: "ignore", detached: true });
    this.ended = new Promise((resolve) => this.#process.on("exit", () => resolve()));
  }

  /** All at once, with no chance to put anything in order. */
  async kill(): Promise<void> {
    try {
      if (this.#process.pid !== undefined) process.kill(-this.#process.pid, "SIGKILL");
    } catch {
      // It is gone.
    }
    await this.ended;
  }
}

export interface Profile extends Disposable {
  folder: string;
}

/** What a browser keeps, in an empty folder. */
export function profile(): Profile {
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-profile-"));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }) };
}

export function startChromium(folder: string, url: string): Program {
  const quiet = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  return new Program(chromium!, ["--headless", "--no-sandbox", ...quiet, `--user-data-dir=${folder}`, url]);
}

export function startFirefox(folder: string, url: string): Program {
  return new Program(firefox!, ["--headless", "--no-remote", "--profile", folder, url]);
}
