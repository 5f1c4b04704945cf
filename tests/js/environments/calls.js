// Runs calls of the package and writes down what came of each, wherever this runs. Calls and answers are JSON.

/**
 * A call: the function's name and its arguments. `countTokens: true` in options stands for a tokenizer, for JSON holds no functions.
 * @param {Record<string, (...args: any[]) => Promise<unknown>>} api
 * @param {{ name: string, args: any[] }[]} calls
 */
export async function answers(api, calls) {
  const all = [];
  for (const { name, args } of calls) {
    const given = args.map((arg) => (arg?.countTokens ? { ...arg, countTokens: (text) => Math.ceil(text.length / 3) } : arg));
    const answer = await api[name](...given).catch((error) => ({ name: error.name, message: error.message, ...error }));
    all.push(JSON.stringify(answer, comparable));
  }
  return all;
}

/** The one thing in an answer that may differ is how long it took. Of bytes a sum will do. */
const comparable = (key, value) => (key === "ms" ? undefined : value instanceof Uint8Array ? sumOf(value) : value);

/** FNV-1a, for a page without TLS has no digests. */
function sumOf(bytes) {
  let sum = 0x811c9dc5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193) >>> 0;
  return `${bytes.length} bytes, ${sum.toString(16)}`;
}

/**
 * Hands the core damaged tapes, as no caller can, makes it throw and trap, then does a real call. Damage must be an answer; the answers'
 * error codes, the names of what was thrown, and what the real call gave.
 * @param {{ Job: any }} core
 */
export async function damaged(api, core, call) {
  const codes = [];
  const end = 0x07, object = 0x06, string = 0x04, list = 0x09;
  const tapes = [
    [], [end], [0xff], [object], [string, 0xff, 0xff, 0xff, 0xff], [string, 2, 0, 0, 0, 0xc3, 0x28], [list, 0xff, 0xff, 0xff, 0xff],
    Array(100_000).fill(0x05), [0x03, 1, 0x78], [0x08, 0, 0, 0, 0, 9, 0, 0, 0],
  ];
  const good = [object, end];
  for (const op of ["compact", "measure", "check", "repair", "trim", "pages", "no such op"]) {
    for (const [envelope, options] of tapes.flatMap((tape) => [[tape, good], [good, tape]])) {
      const job = new core.Job(op, new Uint8Array(envelope), new Uint8Array(options));
      job.font(new Uint8Array(envelope));
      if (job.page().length > 0) throw new Error("a page that nobody drew");
      codes.push(...[job.next(), job.next(new Uint8Array([0xff]))].map((answer) => JSON.parse(answer).error?.code));
      job.free();
    }
  }
  const faults = [
    () => new core.Job("compact", { length: 2 ** 31 }, new Uint8Array(good)), // more memory than there is: a trap
    () => {
      const lost = new core.Job("compact", new Uint8Array(good), new Uint8Array(good));
      lost.free();
      lost.next();
    },
  ].map(thrownBy);
  return { codes, faults, then: await answers(api, [call]) };
}

function thrownBy(fault) {
  try {
    fault();
    return "nothing";
  } catch (error) {
    return error.name;
  }
}
