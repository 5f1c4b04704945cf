import { describe, expect, test } from "vitest";
import { totalsOf, type Line } from "../src/totals";
import { receiptText } from "../src/receipt";
import { refreshed } from "../src/quote";
import type { Voucher } from "../src/vouchers";

const line = (sku: string, price: number, quantity = 1, taxClass: Line["taxClass"] = "food"): Line => ({ sku, name: sku, quantity, price, taxClass });
const spring: Voucher = { code: "SPRING10", kind: "percent", value: 10, only: ["food"], validUntil: "2026-06-30", uses: 0, maxUses: null };

describe("cart, charge and mail agree", () => {
  test("order 20417: tax is rounded once for each rate, everywhere", () => {
    const lines = [line("SEN-100", 8_50), line("DAR-100", 12_50), line("ROO-100", 3_95), line("POT-CIB", 48_90, 1, "ware")];
    const totals = totalsOf(lines);
    expect(totals.gross).toBe(84_89);
    expect(receiptText(20417, totals)).toMatch(/Paid +84,89/);
  });

  test("order 20433: a voucher counts once, however often a card is declined", () => {
    const lines = [line("GYO-100", 24_50, 2)];
    expect(totalsOf(lines, spring).gross).toBe(47_19);
    expect(totalsOf(lines, spring).gross).toBe(47_19);
    expect(lines).toEqual([line("GYO-100", 24_50, 2)]);
  });

  test("order 20458: a price that rose is said before anyone pays", () => {
    const { lines, changes } = refreshed([line("JAS-100", 15_80, 3)], new Map([["JAS-100", 16_90]]));
    expect(changes).toEqual([{ sku: "JAS-100", name: "JAS-100", from: 15_80, to: 16_90 }]);
    expect(totalsOf(lines).gross).toBe(54_25);
  });

  test("a price that did not change is not spoken of", () => {
    expect(refreshed([line("JAS-100", 15_80)], new Map([["JAS-100", 15_80]])).changes).toEqual([]);
  });
});
