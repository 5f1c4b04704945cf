import { Router } from "express";
import { log } from "./log";
import { type Cents, sum } from "./money";
import { createOrder, markPaid, nextOrderNumber } from "./orders";
import { pay, PaymentDeclined } from "./payment";
import { freshProduct, release, reserve } from "./products";
import { sendReceipt } from "./receipt";
import { sessionOf } from "./session";
import { type Line, shippingOf } from "./totals";
import { taxOf } from "./tax";
import { applyVoucher, countUse } from "./vouchers";

export const checkout = Router();

checkout.post("/checkout", async (request, response) => {
  const session = await sessionOf(request);
  if (session.lines.length === 0) return response.redirect(303, "/cart");

  // Prices may have changed since the tea went into the cart.
  for (const line of session.lines) {
    const product = await freshProduct(line.sku);
    if (product === undefined) return response.redirect(303, `/cart?gone=${line.sku}`);
    if (!session.voucher) line.price = product.price;
  }

  const lines = session.voucher ? applyVoucher(session.lines, session.voucher) : session.lines;
  const amount = chargeOf(lines);

  const reserved: Line[] = [];
  for (const line of lines) {
    if (await reserve(line.sku, line.quantity)) reserved.push(line);
    else {
      await giveBack(reserved);
      return response.redirect(303, `/cart?short=${line.sku}`);
    }
  }

  const number = await nextOrderNumber();
  await createOrder({ number, customer: session.customer, lines, amount, voucher: session.voucher?.code ?? null });
  try {
    await pay({ amount, method: request.body.method, reference: `KL-${number}` });
  } catch (error) {
    await giveBack(reserved);
    await session.save();
    if (!(error instanceof PaymentDeclined)) throw error;
    log.warn("payment declined", { number, amount, why: error.message });
    return response.redirect(303, "/checkout?declined=1");
  }

  await markPaid(number);
  if (session.voucher) await countUse(session.voucher.code);
  await sendReceipt(number, session.customer, lines, amount);
  log.info("order paid", { number, amount, lines: lines.length });
  await session.clear();
  return response.redirect(303, `/thanks/${number}`);
});

/** What the customer pays. */
export function chargeOf(lines: readonly Line[]): Cents {
  const goods = sum(lines.map((line) => {
    const net = line.price * line.quantity;
    return net + taxOf({ taxClass: line.taxClass, net });
  }));
  return goods + shippingOf(goods);
}

async function giveBack(lines: readonly Line[]): Promise<void> {
  for (const line of lines) await release(line.sku, line.quantity);
}
