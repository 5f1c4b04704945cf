/** Assertions that run anywhere: in Node, in a page, in a Durable Object. */

export function ok(holds: unknown, what: string): asserts holds {
  if (!holds) throw new Error(`not so: ${what}`);
}

/** Equal as JSON with sorted keys would show it, with `undefined`, bytes and −0 told apart. */
export function equal(actual: unknown, expected: unknown, what = "value"): void {
  const [a, b] = [shown(actual), shown(expected)];
  if (a === b) return;
  let at = 0;
  while (a[at] === b[at]) at++;
  const around = (text: string): string => `…${text.slice(Math.max(0, at - 60), at + 120)}…`;
  throw new Error(`${what} differs at ${at}:\n  is       ${around(a)}\n  expected ${around(b)}`);
}

/** The error that a call rejects with, which must have this code. */
export async function rejects(call: Promise<unknown>, code: string): Promise<any> {
  let value: unknown;
  try {
    value = await call;
  } catch (error) {
    if ((error as { code?: unknown }).code === code) return error;
    throw new Error(`expected an error of code ${code}, got ${String(error)} ${(error as Error).stack}`);
  }
  throw new Error(`expected an error of code ${code}, got ${shown(value).slice(0, 200)}`);
}

function shown(value: unknown): string {
  if (value === undefined) return "undefined";
  if (Object.is(value, -0)) return "-0";
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? String(value);
  if (Array.isArray(value)) return `[${value.map(shown).join(",")}]`;
  if (ArrayBuffer.isView(value)) return `${Object.prototype.toString.call(value)}${sumOf(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))}`;
  if (value instanceof ArrayBuffer) return `buffer${sumOf(new Uint8Array(value))}`;
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${shown((value as Record<string, unknown>)[key])}`).join(",")}}`;
}

/** Length and a sum of bytes: enough to tell them apart, short enough to be printed. */
function sumOf(bytes: Uint8Array): string {
  let sum = 0;
  for (const byte of bytes) sum = (Math.imul(sum, 31) + byte) | 0;
  return `<${bytes.length}:${sum}>`;
}
