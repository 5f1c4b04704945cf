/** Learns from what a provider charged. */
import * as core from "./core.js";
import { OptionError } from "./errors.js";
import { answerOf } from "./job.js";
import { isObject } from "./json.js";
import { init } from "./load.js";
import { reading, TapeWriter } from "./tape.js";
import type { Calibration, Measure, Report } from "./types.js";

/**
 * Corrects the estimator by what a provider reported: the answer is the option `calibration` of later calls, and their `previous`.
 *
 * The factor stays within 0.5 and 3 and leans on the recent reports; another model starts anew. Usage that tells nothing (none, 0, no field
 * that is known, what a server's own tools have read) leaves it as it was.
 *
 * @param report what `compact` or `measure` said of the request that was sent.
 * @param usage the provider's usage object as it came, in any format, or a number of input tokens, cached ones included.
 * Rejects: OptionError.
 */
export async function calibrate(previous: Calibration | undefined, report: Report | Measure, usage: number | object): Promise<Calibration> {
  await init();
  return calibrated(previous, report, usage);
}

/** The same once the module is loaded. */
export function calibrated(previous: Calibration | undefined, report: Report | Measure, usage: number | object): Calibration {
  if (typeof usage !== "number" && !isObject(usage ?? {})) {
    throw new OptionError("The usage is what the provider reported: its usage object as it came, or a number of input tokens.");
  }
  const tape = reading(() => new TapeWriter().value({ previous, report: figures(report), usage }));
  return answerOf<Calibration>(() => core.calibrate(tape));
}

/** What is needed of a report: its rungs and records are not. */
function figures(report: Report | Measure): unknown {
  if (!isObject(report)) return undefined;
  const { model, estimated, tokens, after } = report as Partial<Report & Measure>;
  return { model, estimated, tokens, after: isObject(after) ? { tokens: after.tokens } : undefined };
}
