/** Asks the core what to change after an overflow. */
import * as core from "../core.js";
import { answerOf } from "../job.js";
import { reading, TapeWriter } from "../tape.js";
import type { Overflow, Rung } from "../types.js";

/** A request that was refused; figures as in `recover/next.rs` of the core. */
export interface Sent {
  estimated: number;
  factor: number;
  bytes: number;
  images: number;
  output: number | undefined;
  least: number;
  reserve: number | undefined;
  window: number;
}

export interface Change {
  output?: number;
  reserve?: number;
  window?: number;
  factor?: number;
  limits: { tokens?: number; bytes?: number; images?: number };
  /** Ways to make it smaller, each taken where those before were not enough. None: the history goes again as it was. */
  passes: Pass[];
}

export interface Pass {
  rungs?: Rung[];
  keepImages?: number;
  force?: boolean;
}

/** What to change; in words why there is nothing. The module must be loaded. */
export function nextAfter({ kind, limit, actual }: Overflow, sent: Sent, tried: number): Change | string {
  const tape = reading(() => new TapeWriter().value({ overflow: { kind, limit, actual }, sent, tried }));
  const next = answerOf<{ change: Change } | { giveUp: string }>(() => core.recover(tape));
  return "change" in next ? next.change : next.giveUp;
}
