/** Hears of commits by other processes: the system tells when a file of the directory was replaced. */
import { watch } from "node:fs/promises";
import { join } from "node:path";
import { type Listener, Listeners } from "../listeners.js";
import { entries, makeFolderNow } from "./disk.js";
import { type FileHead, readHead } from "./document.js";
import { isConversation } from "./names.js";

interface Known extends Pick<FileHead, "id" | "agent" | "revision"> {
  /** It stood there when the watch looked around: whatever the system tells of it may have been before or after. */
  found?: boolean;
}

export class Watch {
  readonly #listeners = new Listeners();
  /** What was told last, by name of the file: the system may tell of one change several times, and of our own. */
  readonly #known = new Map<string, Known>();
  #end: AbortController | undefined;

  constructor(readonly directory: string) {}

  subscribe(listener: Listener): () => void {
    const end = this.#listeners.add(listener);
    if (!this.#end) void this.#start((this.#end = new AbortController()).signal);
    return () => {
      end();
      if (this.#listeners.size > 0) return;
      this.#end?.abort();
      this.#end = undefined;
      this.#known.clear();
    };
  }

  /** Revision 0: it was removed. */
  tell(name: string, id: string, agent: string, revision: number): void {
    if (this.#listeners.size === 0) return;
    const before = this.#known.get(name);
    if ((before?.revision ?? 0) === revision && !before?.found) return;
    if (revision === 0) this.#known.delete(name);
    else this.#known.set(name, { id, agent, revision });
    this.#listeners.tell(id, agent, revision);
  }

  async #start(signal: AbortSignal): Promise<void> {
    try {
      // At once, so that nothing happens before somebody watches.
      makeFolderNow(this.directory);
      const events = watch(this.directory, { persistent: false, signal });
      // Begun before the look around, so that nothing happens in between.
      const next = events[Symbol.asyncIterator]().next();
      // It may be ended while nobody waits for it yet.
      next.catch(() => {});
      for (const name of await entries(this.directory)) {
        if (!isConversation(name) || this.#known.has(name)) continue;
        const head = await readHead(join(this.directory, name));
        if (head && !this.#known.has(name)) this.#known.set(name, { ...head, found: true });
      }
      await this.#see((await next).value?.filename);
      for await (const { filename } of events) await this.#see(filename);
    } catch {
      // It was ended, or this system cannot watch (some network drives): then one hears of others at the next commit.
    }
  }

  async #see(name: string | null | undefined): Promise<void> {
    if (!name || !isConversation(name)) return;
    const head = await readHead(join(this.directory, name)).catch(() => undefined);
    const known = this.#known.get(name);
    if (head) this.tell(name, head.id, head.agent, head.revision);
    else if (known) this.tell(name, known.id, known.agent, 0);
  }
}
