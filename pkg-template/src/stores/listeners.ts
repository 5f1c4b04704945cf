/** Those who want to hear of commits. */
export type Listener = (id: string, agent: string, revision?: number) => void;

export class Listeners {
  readonly #all = new Map<symbol, Listener>();

  get size(): number {
    return this.#all.size;
  }

  /** The same function may listen twice. Returns the function that ends it. */
  add(listener: Listener): () => void {
    const key = Symbol();
    this.#all.set(key, listener);
    return () => void this.#all.delete(key);
  }

  /** Tells all, in a task of its own: by then whoever committed knows the revision. `revision` 0: it was removed. */
  tell(id: string, agent: string, revision: number): void {
    if (this.#all.size === 0) return;
    setTimeout(() => {
      for (const [key, listener] of [...this.#all]) {
        // Another may have ended it meanwhile.
        if (!this.#all.has(key)) continue;
        try {
          listener(id, agent, revision);
        } catch (error) {
          // One that throws must not keep the others from hearing; the error is its owner's, so it is shown where uncaught ones are.
          if (typeof reportError === "function") reportError(error);
          else console.error(error);
        }
      }
    });
  }
}
