import { type Cents, roundCents } from "./money";

/** Groups of goods that the tax law tells apart. Tea is food, a teapot is not. */
export type TaxClass = "food" | "ware" | "book";

const RATES: Record<TaxClass, number> = { food: 0.07, ware: 0.19, book: 0.07 };

export interface Taxed {
  taxClass: TaxClass;
  net: Cents;
}

export function rateOf(taxClass: TaxClass): number {
  return RATES[taxClass];
}

/** Tax of one amount. */
export function taxOf({ taxClass, net }: Taxed): Cents {
  return roundCents(net * RATES[taxClass]);
}

/**
 * Tax of an invoice: the net amounts of one rate are added first and rounded once.
 * Our accountant asked for this in 2023; see docs/pricing.md.
 */
export function taxByRate(lines: readonly Taxed[]): Map<number, Cents> {
  const nets = new Map<number, Cents>();
  for (const { taxClass, net } of lines) {
    const rate = RATES[taxClass];
    nets.set(rate, (nets.get(rate) ?? 0) + net);
  }
  return new Map([...nets].map(([rate, net]) => [rate, roundCents(net * rate)]));
}
