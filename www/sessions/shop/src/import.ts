import { readFile } from "node:fs/promises";
import { db } from "./db";
import { log } from "./log";
import { parseEuros } from "./money";
import { forget } from "./products";

/** One row of the feed that our supplier leaves on the server each night. */
interface Row {
  sku: string;
  name: string;
  price: string;
  stock: string;
}

const COLUMNS = ["sku", "name", "price", "stock"] as const;

/** Reads the nightly feed. Started by cron at 03:10; takes about four seconds. */
export async function importFeed(file: string): Promise<{ changed: number; refused: number }> {
  const rows = parse(await readFile(file, "utf8"));
  let changed = 0;
  let refused = 0;
  for (const row of rows) {
    try {
      changed += await update(row);
    } catch (error) {
      refused++;
      log.warn("feed row refused", { sku: row.sku, why: (error as Error).message });
    }
  }
  log.info("feed imported", { rows: rows.length, changed, refused });
  return { changed, refused };
}

async function update({ sku, name, price, stock }: Row): Promise<number> {
  const cents = parseEuros(price);
  const pieces = Number.parseInt(stock, 10);
  if (!(pieces >= 0)) throw new RangeError(`not a stock: ${stock}`);
  const rows = await db.run(
    "update products set name = $2, price = $3, stock = $4, updated_at = now() where sku = $1 and (price <> $3 or stock <> $4 or name <> $2)",
    [sku, name, cents, pieces],
  );
  if (rows > 0) forget(sku);
  return rows;
}

function parse(text: string): Row[] {
  const [head = "", ...lines] = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const names = head.split(";").map((name) => name.trim().toLowerCase());
  const places = COLUMNS.map((column) => names.indexOf(column));
  if (places.includes(-1)) throw new RangeError(`the feed lacks a column: ${head}`);
  return lines.map((line) => {
    const cells = line.split(";");
    return Object.fromEntries(COLUMNS.map((column, i) => [column, cells[places[i]!]?.trim() ?? ""])) as unknown as Row;
  });
}
