import { db } from "./db";
import type { Cents } from "./money";
import type { Line } from "./totals";

export interface Order {
  number: number;
  customer: string;
  lines: Line[];
  /** What was charged, gross. */
  amount: Cents;
  voucher: string | null;
}

export async function nextOrderNumber(): Promise<number> {
  const { number } = (await db.one<{ number: number }>("select nextval('order_number')::int as number"))!;
  return number;
}

/** Order and lines are written together or not at all. */
export async function createOrder({ number, customer, lines, amount, voucher }: Order): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run("insert into orders (number, customer, amount, voucher, state) values ($1, $2, $3, $4, 'open')", [number, customer, amount, voucher]);
    for (const [position, line] of lines.entries()) {
      await tx.run(
        "insert into order_lines (number, position, sku, name, quantity, price, tax_class) values ($1, $2, $3, $4, $5, $6, $7)",
        [number, position, line.sku, line.name, line.quantity, line.price, line.taxClass],
      );
    }
  });
}

export async function markPaid(number: number): Promise<void> {
  await db.run("update orders set state = 'paid', paid_at = now() where number = $1", [number]);
}

export async function findOrder(number: number): Promise<Order | undefined> {
  const order = await db.one<Omit<Order, "lines">>("select number, customer, amount, voucher from orders where number = $1", [number]);
  if (order === undefined) return undefined;
  const lines = await db.all<Line>(
    "select sku, name, quantity, price, tax_class as \"taxClass\" from order_lines where number = $1 order by position",
    [number],
  );
  return { ...order, lines };
}

/** Orders that were opened and never paid, older than a day: their stock was given back long ago. */
export async function sweepOpen(): Promise<number> {
  return db.run("update orders set state = 'abandoned' where state = 'open' and created_at < now() - interval '1 day'");
}
