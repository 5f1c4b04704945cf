/** One after the other, in the order they came. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve();
  #running = 0;

  /** Begins at once when nobody is before it, so that what it does is for the state at the call: a draft that is appended right after is not in it. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const before = this.#running++ === 0 ? undefined : this.#last;
    let over = (): void => {};
    // Known before the task begins: what it calls on the way waits for it, too.
    this.#last = new Promise<void>((resolve) => (over = () => (this.#running--, resolve())));
    const done = before ? before.then(task) : task();
    // One that failed keeps nobody from going on.
    done.then(over, over);
    return done;
  }

  /** Resolves when all that wait have run. */
  async idle(): Promise<void> {
    let seen: Promise<unknown> | undefined;
    while (seen !== this.#last) await (seen = this.#last);
  }
}
