import { mail } from "./mail";
import { type Cents, euros, sum } from "./money";
import { type Line, shippingOf } from "./totals";
import { rateOf, taxOf } from "./tax";

/** The mail that goes out when an order is paid. */
export async function sendReceipt(number: number, customer: string, lines: readonly Line[], amount: Cents): Promise<void> {
  await mail({
    to: customer,
    subject: `Your tea is on its way: order ${number}`,
    text: receiptText(number, lines, amount),
  });
}

export function receiptText(number: number, lines: readonly Line[], amount: Cents): string {
  const rows = lines.map((line) => {
    const value = line.price * line.quantity;
    return `${String(line.quantity).padStart(3)} × ${line.name.padEnd(38)} ${euros(value).padStart(10)}`;
  });
  const net = sum(lines.map((line) => line.price * line.quantity));
  const taxes = new Map<number, Cents>();
  for (const line of lines) {
    const rate = rateOf(line.taxClass);
    taxes.set(rate, (taxes.get(rate) ?? 0) + taxOf({ taxClass: line.taxClass, net: line.price * line.quantity }));
  }
  const shipping = shippingOf(net + sum(taxes.values()));
  return [
    `Order ${number}`,
    "",
    ...rows,
    "",
    `Net ${euros(net).padStart(50)}`,
    ...[...taxes].map(([rate, tax]) => `VAT ${Math.round(rate * 100)} % ${euros(tax).padStart(45)}`),
    `Parcel ${(shipping === 0 ? "free" : euros(shipping)).padStart(47)}`,
    `Paid ${euros(amount).padStart(49)}`,
    "",
    "Thank you, and mind the water: 80 degrees for the green ones.",
  ].join("\n");
}
