/** Those who show a conversation, and want to hear of every change. */
export class Watchers {
  readonly #all = new Map<symbol, () => void>();

  /** The same function may listen twice. Returns the function that ends it. */
  readonly add = (listener: () => void): (() => void) => {
    const key = Symbol();
    this.#all.set(key, listener);
    return () => void this.#all.delete(key);
  };

  tell(): void {
    for (const [key, listener] of [...this.#all]) {
      // Another may have ended it meanwhile.
      if (!this.#all.has(key)) continue;
      try {
        listener();
      } catch (error) {
        // One that throws must not undo what was done; the error is its owner's, so it is shown where uncaught ones are.
        if (typeof reportError === "function") reportError(error);
        else console.error(error);
      }
    }
  }

  clear(): void {
    this.#all.clear();
  }
}
