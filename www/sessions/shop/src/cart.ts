import { Router } from "express";
import { euros } from "./money";
import { cachedProduct } from "./products";
import { sessionOf } from "./session";
import { cartTotals, type Line, lineOf } from "./totals";
import { findVoucher, VoucherError } from "./vouchers";
import { render } from "./views";

export const cart = Router();

/** Most pieces of one product in a cart. */
const MOST = 24;

cart.get("/cart", async (request, response) => {
  const session = await sessionOf(request);
  const totals = cartTotals(session.lines, session.voucher);
  response.send(
    render("cart", {
      lines: session.lines.map((line) => ({ ...line, price: euros(line.price), value: euros(line.price * line.quantity) })),
      net: euros(totals.net),
      discount: totals.discount > 0 ? euros(-totals.discount) : null,
      tax: euros(totals.tax),
      shipping: totals.shipping === 0 ? "free" : euros(totals.shipping),
      gross: euros(totals.gross),
      voucher: session.voucher?.code ?? null,
    }),
  );
});

cart.post("/cart/lines", async (request, response) => {
  const { sku, quantity } = request.body as { sku: string; quantity: string };
  const pieces = Number.parseInt(quantity, 10);
  if (!(pieces >= 1 && pieces <= MOST)) return response.status(400).send("How many?");
  const product = await cachedProduct(sku);
  if (product === undefined) return response.status(404).send("No such tea.");

  const session = await sessionOf(request);
  const known = session.lines.find((line: Line) => line.sku === sku);
  if (known) known.quantity = Math.min(MOST, known.quantity + pieces);
  else session.lines.push(lineOf(product, pieces));
  await session.save();
  return response.redirect(303, "/cart");
});

cart.post("/cart/lines/:sku/remove", async (request, response) => {
  const session = await sessionOf(request);
  session.lines = session.lines.filter((line: Line) => line.sku !== request.params.sku);
  await session.save();
  response.redirect(303, "/cart");
});

cart.post("/cart/voucher", async (request, response) => {
  const session = await sessionOf(request);
  try {
    session.voucher = await findVoucher(String(request.body.code), new Date().toISOString().slice(0, 10));
    await session.save();
    response.redirect(303, "/cart");
  } catch (error) {
    if (!(error instanceof VoucherError)) throw error;
    response.redirect(303, `/cart?voucher=${error.reason}`);
  }
});
