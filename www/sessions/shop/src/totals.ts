import { type Cents, sum } from "./money";
import type { Product } from "./products";
import { type TaxClass, taxByRate } from "./tax";
import type { Voucher } from "./vouchers";
import { applyVoucher } from "./vouchers";

/** A line of the cart. `price` is net, for one piece. */
export interface Line {
  sku: string;
  name: string;
  quantity: number;
  price: Cents;
  taxClass: TaxClass;
}

export interface Totals {
  net: Cents;
  discount: Cents;
  tax: Cents;
  shipping: Cents;
  gross: Cents;
}

/** From this gross value on a parcel travels free. */
export const FREE_SHIPPING_FROM: Cents = 45_00;
export const SHIPPING: Cents = 4_90;

export function lineOf(product: Product, quantity: number): Line {
  const { sku, name, price, taxClass } = product;
  return { sku, name, quantity, price, taxClass };
}

/** What the cart page shows. */
export function cartTotals(lines: Line[], voucher?: Voucher): Totals {
  const before = sum(lines.map((line) => line.price * line.quantity));
  const discounted = voucher ? applyVoucher(structuredClone(lines), voucher) : lines;
  const net = sum(discounted.map((line) => line.price * line.quantity));
  const taxes = taxByRate(discounted.map((line) => ({ taxClass: line.taxClass, net: line.price * line.quantity })));
  const tax = sum(taxes.values());
  const shipping = shippingOf(net + tax);
  return { net, discount: before - net, tax, shipping, gross: net + tax + shipping };
}

export function shippingOf(goods: Cents): Cents {
  return goods === 0 || goods >= FREE_SHIPPING_FROM ? 0 : SHIPPING;
}
