/** The errors of the package: one class a code. */
import type { Stored } from "./stores/store.js";
import type { Report, Violation } from "./types.js";

/** Stable names of what went wrong. */
export type ErrorCode =
  | "option"
  | "unsupported-format"
  | "invalid-history"
  | "unknown-model"
  | "cannot-fit"
  | "unrenderable"
  | "open-turn"
  | "unknown-checkpoint"
  | "unknown-node"
  | "conflict"
  | "quota"
  | "corrupt-store"
  | "load-failed"
  | "import-failed"
  | "internal";

// Names stand on the prototypes: as fields they would be printed twice, and taken from the class a minifier would change them.

/** All errors of the package. `code` is stable; `message` says what happened and what to do; `cause` is what it came from. */
export class PalimpsestError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  static { this.prototype.name = "PalimpsestError"; }
}

/** Options, or values in a request, that make no sense. Nothing was changed. */
export class OptionError extends PalimpsestError {
  constructor(message: string, options?: ErrorOptions) {
    super("option", message, options);
  }

  static { this.prototype.name = "OptionError"; }
}

/** The request is of no format that is known, or of one this version does not read. */
export class UnsupportedFormatError extends PalimpsestError {
  constructor(message: string, options?: ErrorOptions) {
    super("unsupported-format", message, options);
  }

  static { this.prototype.name = "UnsupportedFormatError"; }
}

/** The history is broken beyond what `repair` may mend. `violations`: the rules it breaks, in order. */
export class InvalidHistoryError extends PalimpsestError {
  readonly violations: Violation[];

  constructor(message: string, violations: Violation[], options?: ErrorOptions) {
    super("invalid-history", message, options);
    this.violations = violations;
  }

  static { this.prototype.name = "InvalidHistoryError"; }
}

/** No model of this id is known, or none was named: give facts of your own, `{ id, window }`. */
export class UnknownModelError extends PalimpsestError {
  constructor(message: string, options?: ErrorOptions) {
    super("unknown-model", message, options);
  }

  static { this.prototype.name = "UnknownModelError"; }
}

/** Every rung ran and the request still does not fit. `body`: as small as it became; `report`: what each rung gave. */
export class CannotFitError extends PalimpsestError {
  readonly report: Report;
  readonly body: any;

  constructor(message: string, report: Report, body: unknown, options?: ErrorOptions) {
    super("cannot-fit", message, options);
    this.report = report;
    this.body = body;
  }

  static { this.prototype.name = "CannotFitError"; }
}

/** More than a twentieth of the letters is drawn by no font here. `share`: how many, from 0 to 1; `letters`: some of them. */
export class UnrenderableError extends PalimpsestError {
  readonly share: number;
  readonly letters: string;

  constructor(message: string, share: number, letters: string, options?: ErrorOptions) {
    super("unrenderable", message, options);
    this.share = share;
    this.letters = letters;
  }

  static { this.prototype.name = "UnrenderableError"; }
}

/** A turn is not whole, so it cannot be committed. `calls`: ids of the tool calls that have no result yet. */
export class OpenTurnError extends PalimpsestError {
  readonly calls: string[];

  constructor(message: string, calls: string[], options?: ErrorOptions) {
    super("open-turn", message, options);
    this.calls = calls;
  }

  static { this.prototype.name = "OpenTurnError"; }
}

/** No checkpoint has this label, or the message it stood at is gone. */
export class UnknownCheckpointError extends PalimpsestError {
  constructor(message: string, options?: ErrorOptions) {
    super("unknown-checkpoint", message, options);
  }

  static { this.prototype.name = "UnknownCheckpointError"; }
}

/** Another writer committed in between. Nothing was written: load again, unite, commit again. */
export class ConflictError extends PalimpsestError {
  constructor(message: string, options?: ErrorOptions) {
    super("conflict", message, options);
  }

  static { this.prototype.name = "ConflictError"; }
}

/** There is no room left where conversations are kept. Nothing was written; what is stored can be read. */
export class QuotaError extends PalimpsestError {
  constructor(message: string, options?: ErrorOptions) {
    super("quota", message, options);
  }

  static { this.prototype.name = "QuotaError"; }
}

/** What is stored cannot be read as it was written. `saved`: all of it that could be, in a state that can be gone on with; `undefined` when
 *  that is nothing. The store was left as it is. */
export class CorruptStoreError extends PalimpsestError {
  readonly saved: Stored | undefined;

  constructor(message: string, saved?: Stored, options?: ErrorOptions) {
    super("corrupt-store", message, options);
    this.saved = saved;
  }

  static { this.prototype.name = "CorruptStoreError"; }
}

/** An error as the core words it. */
export interface CoreError {
  code: ErrorCode;
  message: string;
  violations?: Violation[];
  report?: Report;
  share?: number;
  letters?: string;
  calls?: string[];
}

/** The class that belongs to an error of the core. `body`: what the request had become, for "cannot-fit". */
export function errorOf(error: CoreError, body?: unknown): PalimpsestError {
  const { code, message } = error;
  switch (code) {
    case "option":
      return new OptionError(message);
    case "unsupported-format":
      return new UnsupportedFormatError(message);
    case "unknown-model":
      return new UnknownModelError(message);
    case "invalid-history":
      return new InvalidHistoryError(message, error.violations ?? []);
    case "cannot-fit":
      return new CannotFitError(message, error.report as Report, body);
    case "unrenderable":
      return new UnrenderableError(message, error.share ?? 1, error.letters ?? "");
    case "open-turn":
      return new OpenTurnError(message, error.calls ?? []);
    case "unknown-checkpoint":
      return new UnknownCheckpointError(message);
    case "corrupt-store":
      return new CorruptStoreError(message);
    default:
      return new PalimpsestError(code, message);
  }
}

/** No node has this id: code "unknown-node". */
export function unknownNode(id: string, where: string): PalimpsestError {
  return new PalimpsestError("unknown-node", `${where} is a message that does not exist: ${shortened(id)}.`);
}

/** An id of the caller's for a message of ours: never more than a line of it. */
export function shortened(id: string): string {
  return JSON.stringify(id.length > 80 ? `${id.slice(0, 79)}…` : id);
}

/** A surprise (a panic of the core, a bug of ours) as an error of the package. */
export function internal(cause: unknown): PalimpsestError {
  const words = cause instanceof Error ? cause.message : String(cause);
  return new PalimpsestError("internal", `Palimpsest failed: ${words}. This is a fault of the package; your request is as it was.`, { cause });
}
