/** A request that is turned away. */

/** Why: the history breaks a rule; it is too large (tokens); the answer asked for is (output); its bytes or its pictures are; or none of these. */
export type RefusalKind = "validity" | "overflow" | "output" | "bytes" | "images" | "auth" | "fault";

export interface Refusal {
  kind: RefusalKind;
  /** The rule, in one word for tests. */
  rule: string;
  status: number;
  message: string;
  /** OpenAI's place of the fault. */
  param?: string;
  code?: string;
  /** Default: what the provider calls a faulty request. */
  type?: string;
  /** A body of another shape than the endpoint's, or none at all (""). */
  body?: unknown;
  headers?: Record<string, string>;
}

export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

/** @throws {Refused} */
export function refuse(refusal: Refusal): never {
  throw new Refused(refusal);
}

/** @throws {Refused} for a history that breaks a rule. */
export function invalid(rule: string, message: string, more: Partial<Refusal> = {}): never {
  refuse({ kind: "validity", rule, status: 400, message, ...more });
}
