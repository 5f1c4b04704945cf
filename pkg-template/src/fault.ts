/** Finds where a text stops being JSON. Engines tell it in different words, and some not at all. */

/** Line and column, both from 1, and what is wrong there. Meant for a text that `JSON.parse` refused. */
export function faultOf(text: string): { line: number; column: number; what: string } {
  const { at, what } = new Scan(text).run();
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  return { line, column: at - before.lastIndexOf("\n"), what };
}

class Fault {
  constructor(readonly at: number, readonly what: string) {}
}

class Scan {
  #at = 0;
  /** What is open, innermost last: `}` or `]`. A list, not recursion: nesting may be of any depth. */
  #open: string[] = [];

  constructor(readonly text: string) {}

  run(): Fault {
    try {
      do this.#value();
      while (this.#next());
      if (this.#at < this.text.length) this.#fail("text after the end of the value");
      return new Fault(this.#at, "cannot be read");
    } catch (fault) {
      if (fault instanceof Fault) return fault;
      throw fault;
    }
  }

  /** One scalar, or the start of an object or array up to its first value. */
  #value(): void {
    for (;;) {
      const letter = this.#peek();
      if (letter === "[" || letter === "{") {
        this.#at++;
        const close = letter === "[" ? "]" : "}";
        if (this.#peek() === close) return void this.#at++;
        this.#open.push(close);
        if (close === "}") this.#key();
      } else if (letter === '"') return this.#string();
      else return this.#word();
    }
  }

  /** Goes past a comma to where the next value starts; `false` at the end of the outermost value. */
  #next(): boolean {
    for (;;) {
      const letter = this.#peek();
      const close = this.#open.at(-1);
      if (close === undefined) return false;
      if (letter === close) {
        this.#open.pop();
        this.#at++;
      } else if (letter === ",") {
        this.#at++;
        if (close === "}") this.#key();
        return true;
      } else this.#fail(`expected "," or "${close}"`);
    }
  }

  #key(): void {
    if (this.#peek() !== '"') this.#fail("expected a key in double quotes");
    this.#string();
    if (this.#peek() !== ":") this.#fail('expected ":" after a key');
    this.#at++;
  }

  #string(): void {
    const start = this.#at++;
    for (; ; this.#at++) {
      const code = this.text.charCodeAt(this.#at); // NaN at the end
      if (code === 0x22) return void this.#at++;
      if (Number.isNaN(code)) throw new Fault(start, "a string that does not end");
      if (code < 0x20) this.#fail("a control character (a line break?) within a string");
      if (code === 0x5c && !this.#match(/\\(?:["\\/bfnrt]|u[0-9a-f]{4})/iy)) this.#fail("a backslash that escapes nothing");
    }
  }

  #word(): void {
    const length = this.#match(/true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y);
    if (!length) this.#fail("expected a value");
    this.#at++;
  }

  /** Stands on the last letter of what matched, when it did. */
  #match(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const length = pattern.exec(this.text)?.[0].length ?? 0;
    if (length > 0) this.#at += length - 1;
    return length > 0;
  }

  #peek(): string {
    while (" \t\n\r".includes(this.text[this.#at] ?? "end")) this.#at++;
    return this.text[this.#at] ?? "";
  }

  #fail(what: string): never {
    throw new Fault(this.#at, this.#at < this.text.length ? what : "the text ends in the middle");
  }
}
