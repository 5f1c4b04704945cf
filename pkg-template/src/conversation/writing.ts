/**
 * The summary that a model takes its time over, one at a time. Other requests go ahead of it where they decide nothing; where they would, they begin
 * again once it has ended: what it decides is theirs to go on from.
 */
export class Writing {
  #owner: object | undefined;
  #ended: Promise<void> | undefined;
  #end = (): void => {};

  /** `owner` is one request, which may have several written. @throws {Behind} while another's is. */
  begin(owner: object): void {
    this.allow(owner);
    if (this.#owner) return;
    this.#owner = owner;
    this.#ended = new Promise((resolve) => (this.#end = resolve));
  }

  /** @throws {Behind} while another's is written. */
  allow(owner: object): void {
    if (this.#owner && this.#owner !== owner) throw new Behind(this.#ended!);
  }

  /** Whether it was this one's. */
  end(owner: object): boolean {
    if (this.#owner !== owner) return false;
    this.#owner = undefined;
    this.#end();
    return true;
  }
}

/** A request that has to begin again when another has ended. */
export class Behind {
  constructor(readonly ended: Promise<void>) {}
}

/** Catches nothing else. */
export function behind(error: unknown): Behind {
  if (error instanceof Behind) return error;
  throw error;
}
