import { describe, expect, test } from "vitest";
import { chargeOf } from "../src/checkout";
import type { Line } from "../src/totals";

const line = (price: number, quantity = 1, taxClass: Line["taxClass"] = "food"): Line => ({ sku: `S-${price}`, name: "goods", quantity, price, taxClass });

describe("what is charged", () => {
  test("one tea, with tax and parcel", () => {
    expect(chargeOf([line(10_00)])).toBe(10_70 + 4_90);
  });

  test("a pot and a tea travel free", () => {
    expect(chargeOf([line(48_90, 1, "ware"), line(8_50)])).toBe(58_19 + 9_10);
  });

  test("twelve of the same", () => {
    expect(chargeOf([line(3_95, 12)])).toBe(50_72);
  });
});
