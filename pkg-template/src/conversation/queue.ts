/** One after the other, in the order they came. Who waits for somebody else may let the others go ahead. */

/** Lets others go ahead until `wait` is over and it is the task's turn again, of which `back` is told at once. Never comes back to a task that has
 *  ended meanwhile. */
export type Aside = <T>(wait: () => Promise<T>, back?: () => void) => Promise<T>;

export class Queue {
  readonly #waiting: (() => void)[] = [];
  readonly #tasks = new Set<Promise<unknown>>();
  #taken = false;

  /** Begins at once when nobody is before it, so that what it does is for the state at the call: a draft that is appended right after is not in it. */
  run<T>(task: (aside: Aside) => Promise<T>): Promise<T> {
    let ended = false;
    let away = false;
    const aside: Aside = async (wait, back) => {
      away = true;
      this.#pass();
      try {
        return await wait();
      } finally {
        await this.#turn();
        if (ended) {
          this.#pass();
          await new Promise(() => {});
        }
        away = false;
        back?.();
      }
    };
    const turn = this.#turn();
    const done = turn ? turn.then(() => task(aside)) : task(aside);
    const end = (): void => {
      ended = true;
      this.#tasks.delete(done);
      if (!away) this.#pass();
    };
    this.#tasks.add(done);
    // One that failed keeps nobody from going on.
    done.then(end, end);
    return done;
  }

  /** Whether any task has not ended. */
  isTaken(): boolean {
    return this.#tasks.size > 0;
  }

  /** Resolves when all that wait have run. */
  async idle(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.allSettled(this.#tasks);
  }

  /** `undefined`: it is now. */
  #turn(): Promise<void> | undefined {
    if (this.#taken) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#taken = true;
    return undefined;
  }

  #pass(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken = false;
  }
}
