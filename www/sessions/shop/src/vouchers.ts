import { type Cents, roundCents } from "./money";
import type { Line } from "./totals";
import type { TaxClass } from "./tax";
import { db } from "./db";

export interface Voucher {
  code: string;
  kind: "percent" | "amount";
  /** Percent, or cents. */
  value: number;
  /** Goods it is good for; all of them when empty. */
  only: TaxClass[];
  validUntil: string;
  uses: number;
  maxUses: number | null;
}

export class VoucherError extends Error {
  constructor(readonly reason: "unknown" | "expired" | "used-up", code: string) {
    super(`voucher ${code}: ${reason}`);
  }
}

export async function findVoucher(code: string, today: string): Promise<Voucher> {
  const voucher = await db.one<Voucher>("select * from vouchers where code = upper($1)", [code.trim()]);
  if (voucher === undefined) throw new VoucherError("unknown", code);
  if (voucher.validUntil < today) throw new VoucherError("expired", code);
  if (voucher.maxUses !== null && voucher.uses >= voucher.maxUses) throw new VoucherError("used-up", code);
  return voucher;
}

/** Takes the voucher off the lines it is good for. */
export function applyVoucher(lines: Line[], voucher: Voucher): Line[] {
  const meant = lines.filter((line) => voucher.only.length === 0 || voucher.only.includes(line.taxClass));
  if (voucher.kind === "percent") {
    for (const line of meant) line.price = roundCents(line.price * (1 - voucher.value / 100));
    return lines;
  }
  spread(meant, voucher.value);
  return lines;
}

/** An amount is spread over the lines by their value; the last one takes what rounding leaves. */
function spread(lines: Line[], amount: Cents): void {
  const total = lines.reduce((value, line) => value + line.price * line.quantity, 0);
  let left = Math.min(amount, total);
  for (const [index, line] of lines.entries()) {
    const value = line.price * line.quantity;
    const share = index === lines.length - 1 ? left : roundCents((amount * value) / total);
    line.price = roundCents((value - share) / line.quantity);
    left -= share;
  }
}

export async function countUse(code: string): Promise<void> {
  await db.run("update vouchers set uses = uses + 1 where code = $1", [code]);
}
