/** Tells other tabs of commits, and listens to theirs. */
import { isTable } from "../../json.js";
import { type Listener, Listeners } from "../listeners.js";

export class Channel {
  readonly #listeners = new Listeners();
  #channel: BroadcastChannel | undefined;

  constructor(readonly name: string) {}

  /** After the transaction is complete: whoever hears of it finds it. */
  tell(id: string, agent: string, revision: number): void {
    this.#listeners.tell(id, agent, revision);
    if (typeof BroadcastChannel === "undefined") return;
    // One's own channel does not hear what it says, so the two never tell anyone twice.
    const channel = this.#channel ?? new BroadcastChannel(this.name);
    channel.postMessage({ id, agent, revision });
    if (channel !== this.#channel) channel.close();
  }

  subscribe(listener: Listener): () => void {
    const end = this.#listeners.add(listener);
    this.#listen();
    return () => {
      end();
      if (this.#listeners.size > 0) return;
      this.#channel?.close();
      this.#channel = undefined;
    };
  }

  #listen(): void {
    if (this.#channel || typeof BroadcastChannel === "undefined") return;
    this.#channel = new BroadcastChannel(this.name);
    this.#channel.onmessage = ({ data }) => {
      if (!isTable(data)) return;
      const { id, agent, revision } = data;
      if (typeof id === "string" && typeof agent === "string" && typeof revision === "number") this.#listeners.tell(id, agent, revision);
    };
  }
}
