import type { Cents } from "./money";
import type { TaxClass } from "./tax";
import { db } from "./db";

export interface Product {
  sku: string;
  name: string;
  /** Net, for one piece. */
  price: Cents;
  taxClass: TaxClass;
  stock: number;
  updatedAt: string;
}

/** Product pages are read a hundred times for each order; five minutes of age do not matter there. */
const TTL = 5 * 60_000;
const cache = new Map<string, { product: Product; until: number }>();

/** A product, perhaps a few minutes old. For pages on which people look around. */
export async function cachedProduct(sku: string, now = Date.now()): Promise<Product | undefined> {
  const hit = cache.get(sku);
  if (hit && hit.until > now) return hit.product;
  const product = await freshProduct(sku);
  if (product) cache.set(sku, { product, until: now + TTL });
  return product;
}

/** A product as it stands in the database. */
export async function freshProduct(sku: string): Promise<Product | undefined> {
  return db.one<Product>("select sku, name, price, tax_class, stock, updated_at from products where sku = $1", [sku]);
}

export async function listProducts(category: string, page: number): Promise<Product[]> {
  return db.all<Product>(
    "select sku, name, price, tax_class, stock, updated_at from products where category = $1 order by name limit 24 offset $2",
    [category, page * 24],
  );
}

/** Takes pieces out of the stock; false when there are not enough. */
export async function reserve(sku: string, quantity: number): Promise<boolean> {
  const rows = await db.run("update products set stock = stock - $2 where sku = $1 and stock >= $2", [sku, quantity]);
  return rows === 1;
}

export async function release(sku: string, quantity: number): Promise<void> {
  await db.run("update products set stock = stock + $2 where sku = $1", [sku, quantity]);
}

export function forget(sku?: string): void {
  if (sku === undefined) cache.clear();
  else cache.delete(sku);
}
