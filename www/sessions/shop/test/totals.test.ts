import { describe, expect, test } from "vitest";
import { cartTotals, FREE_SHIPPING_FROM, type Line, shippingOf } from "../src/totals";

const tea = (price: number, quantity = 1): Line => ({ sku: `T-${price}`, name: "tea", quantity, price, taxClass: "food" });
const pot = (price: number, quantity = 1): Line => ({ sku: `P-${price}`, name: "pot", quantity, price, taxClass: "ware" });

describe("totals of a cart", () => {
  test("an empty cart costs nothing, parcel included", () => {
    expect(cartTotals([])).toEqual({ net: 0, discount: 0, tax: 0, shipping: 0, gross: 0 });
  });

  test("food is taxed at 7 percent, ware at 19", () => {
    expect(cartTotals([tea(10_00)]).tax).toBe(70);
    expect(cartTotals([pot(10_00)]).tax).toBe(1_90);
  });

  test("quantities count", () => {
    expect(cartTotals([tea(8_50, 3)]).net).toBe(25_50);
  });

  test("tax is rounded once for each rate", () => {
    expect(cartTotals([tea(3_95), tea(8_50), tea(12_50)]).tax).toBe(1_75);
  });

  test("a parcel is free from 45 euros on, tax included", () => {
    expect(shippingOf(FREE_SHIPPING_FROM - 1)).toBe(4_90);
    expect(shippingOf(FREE_SHIPPING_FROM)).toBe(0);
  });

  test("the lines of the cart are left alone", () => {
    const lines = [tea(24_50, 2)];
    const voucher = { code: "SPRING10", kind: "percent" as const, value: 10, only: ["food" as const], validUntil: "2026-06-30", uses: 0, maxUses: null };
    cartTotals(lines, voucher);
    expect(lines).toEqual([tea(24_50, 2)]);
  });
});
