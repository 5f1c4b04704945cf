import type { Request } from "express";
import { randomUUID } from "node:crypto";
import { db } from "./db";
import type { Line } from "./totals";
import type { Voucher } from "./vouchers";

/** Days after which a cart is forgotten. */
const DAYS = 30;

export interface Session {
  id: string;
  customer: string;
  lines: Line[];
  voucher?: Voucher;
  save(): Promise<void>;
  clear(): Promise<void>;
}

/** The visitor's session; a new one when the cookie is missing or too old. */
export async function sessionOf(request: Request): Promise<Session> {
  const id = (request.cookies as Record<string, string>)["kl_session"] ?? randomUUID();
  const row = await db.one<{ customer: string; data: { lines: Line[]; voucher?: Voucher } }>(
    "select customer, data from sessions where id = $1 and touched_at > now() - make_interval(days => $2)",
    [id, DAYS],
  );
  const session: Session = {
    id,
    customer: row?.customer ?? "",
    lines: row?.data.lines ?? [],
    ...(row?.data.voucher && { voucher: row.data.voucher }),
    async save() {
      const data = { lines: session.lines, voucher: session.voucher };
      await db.run(
        "insert into sessions (id, customer, data, touched_at) values ($1, $2, $3, now()) on conflict (id) do update set data = $3, touched_at = now()",
        [id, session.customer, JSON.stringify(data)],
      );
    },
    async clear() {
      session.lines = [];
      delete session.voucher;
      await session.save();
    },
  };
  return session;
}
