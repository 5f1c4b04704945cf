import { describe, expect, test } from "vitest";
import type { Line } from "../src/totals";
import { applyVoucher, type Voucher } from "../src/vouchers";

const voucher = (change: Partial<Voucher>): Voucher => ({ code: "X", kind: "percent", value: 10, only: [], validUntil: "2026-12-31", uses: 0, maxUses: null, ...change });
const line = (price: number, change: Partial<Line> = {}): Line => ({ sku: "T-1", name: "tea", quantity: 1, price, taxClass: "food", ...change });

describe("vouchers", () => {
  test("a percentage comes off each line", () => {
    expect(applyVoucher([line(24_50), line(10_00)], voucher({})).map(({ price }) => price)).toEqual([22_05, 9_00]);
  });

  test("only the goods it is good for", () => {
    const lines = [line(10_00), line(48_90, { taxClass: "ware" })];
    expect(applyVoucher(lines, voucher({ only: ["food"] })).map(({ price }) => price)).toEqual([9_00, 48_90]);
  });

  test("an amount is spread by value", () => {
    const lines = [line(10_00), line(30_00)];
    expect(applyVoucher(lines, voucher({ kind: "amount", value: 4_00 })).map(({ price }) => price)).toEqual([9_00, 27_00]);
  });

  test("an amount never makes a price negative", () => {
    expect(applyVoucher([line(3_00)], voucher({ kind: "amount", value: 5_00 }))[0]?.price).toBe(0);
  });
});
