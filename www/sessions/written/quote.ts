import type { Cents } from "./money";
import { freshProduct } from "./products";
import type { Line } from "./totals";

/** A price that is not what the cart said. */
export interface Change {
  sku: string;
  name: string;
  from: Cents;
  to: Cents;
}

/** The lines at the prices given, and what changed by that. The lines that come in stay as they are. */
export function refreshed(lines: readonly Line[], prices: ReadonlyMap<string, Cents>): { lines: Line[]; changes: Change[] } {
  const changes: Change[] = [];
  const now = lines.map((line) => {
    const price = prices.get(line.sku) ?? line.price;
    if (price !== line.price) changes.push({ sku: line.sku, name: line.name, from: line.price, to: price });
    return { ...line, price };
  });
  return { lines: now, changes };
}

/** Today's prices of the products in a cart; a product that is gone has none. */
export async function pricesOf(lines: readonly Line[]): Promise<Map<string, Cents>> {
  const products = await Promise.all(lines.map((line) => freshProduct(line.sku)));
  return new Map(products.flatMap((product) => (product ? [[product.sku, product.price]] : [])));
}
