/** One after the other, in the order they came. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#last.then(task);
    // One that failed keeps nobody from going on.
    this.#last = done.catch(() => {});
    return done;
  }

  /** Resolves when all that wait have run. */
  async idle(): Promise<void> {
    let seen: Promise<unknown> | undefined;
    while (seen !== this.#last) await (seen = this.#last);
  }
}
