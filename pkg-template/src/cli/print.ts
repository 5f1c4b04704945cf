/** Answers of the API in words for people. */
import type { Measure, Repair, Report, Violation } from "../types.js";
import { gauge, largest, legend, scaleOf } from "../text/gauge.js";
import { amount, count, paint, type Paper, plain, wrap } from "../text/paper.js";

/** What fills the window. */
export function contextText(measure: Measure, paper: Paper): string {
  return paragraphs(gauge(measure, paper), legend(measure, paper), largest(measure, paper));
}

/** Before and after on the same scale, what became of each part, what each rung gave or why not, and what was mended. */
export function compactText(report: Report, before: Measure, after: Measure, paper: Paper): string {
  const scale = scaleOf(before, after);
  return paragraphs(
    `${paint(paper, "bold", plain(report.model))}  stops at ${count(report.targetTokens)} tokens`,
    gauge(before, paper, { title: "before", scale }),
    gauge(after, paper, { title: "after ", scale }),
    legend(before, paper, after),
    rungsText(report, paper),
    repairsText(report.repairs, paper),
    verdict(report, after, paper),
  );
}

function rungsText(report: Report, paper: Paper): string {
  const indent = 12;
  return report.rungs
    .map(({ rung, ran, code, reason, before, after, items }) => {
      const mark = ran ? paint(paper, "green", "✓") : paint(paper, "gray", "–");
      const words = ran ? `gave ${amount(before - after, "token")} (${amount(items, "item")}): ${reason}` : `${reason} (${code})`;
      return `${mark} ${rung.padEnd(indent - 2)}${wrap(words, paper.width, indent)}`;
    })
    .join("\n");
}

function verdict({ fits }: Report, { tokens, window, reserve }: Measure, paper: Paper): string {
  const room = window - reserve;
  if (fits) return `${paint(paper, "green", "fits")}: ${count(tokens)} of ${count(room)} tokens beside the answer`;
  return `${paint(paper, "red", "does not fit")}: ${count(tokens)} tokens, ${count(room)} are free beside the answer`;
}

/** A line a violation, with the message in which it stands. */
export function violationsText(violations: readonly Violation[], paper: Paper): string {
  if (violations.length === 0) return `${paint(paper, "green", "valid")}: the history breaks no rule of its format`;
  const lines = violations.map(({ rule, index, message }) => `${paint(paper, "red", "✗")} ${place(index)} ${wrap(`${message} (${rule})`, paper.width, 15)}`);
  return [...lines, `${amount(violations.length, "violation")}; "palimpsest repair" mends most`].join("\n");
}

/** A line a repair; nothing when there was none. */
export function repairsText(repairs: readonly Repair[], paper: Paper): string {
  return repairs.map(({ kind, index, message }) => `${paint(paper, "yellow", "~")} ${place(index)} ${wrap(`${message} (${kind})`, paper.width, 15)}`).join("\n");
}

function place(index: number): string {
  return (index < 0 ? "request" : `message ${index}`).padEnd(12);
}

function paragraphs(...texts: string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}
