/** Amounts are whole cents. Nothing in the shop holds euros as a fraction. */
export type Cents = number;

/** Half a cent goes away from zero, as the tax office wants it. */
export function roundCents(value: number): Cents {
  return Math.sign(value) * Math.round(Math.abs(value));
}

/** 123456 as "1.234,56 €". */
export function euros(cents: Cents, locale = "de-DE"): string {
  return new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }).format(cents / 100);
}

/** "12,50", "12.50" and "12" as 1250. Feeds of suppliers write all three. */
export function parseEuros(text: string): Cents {
  const match = /^\s*(\d+)(?:[.,](\d{1,2}))?\s*(?:€|EUR)?\s*$/.exec(text);
  if (match === null) throw new RangeError(`not an amount: ${JSON.stringify(text)}`);
  const [, whole, fraction = ""] = match;
  return Number(whole) * 100 + Number(fraction.padEnd(2, "0"));
}

export function sum(values: Iterable<Cents>): Cents {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
