/** The rungs of the ladder: what each gave, or why it did not run; and what was mended. */
import type { Repair, Report } from "palimpsest";
import { el } from "./dom.js";
import { amount, count } from "./words.js";

const MEANING: Record<string, string> = {
  elide: "old tool results become one line each",
  images: "old pictures become one line each",
  snapshot: "old messages become pages",
  summary: "old messages become a summary",
  window: "the oldest messages are left out and counted",
};

export function rungList({ rungs, before }: Report): HTMLElement {
  const items = rungs.map(({ rung, ran, code, reason, before: from, after: to }) => {
    const given = from - to;
    return el(
      "li",
      { class: ran ? "rung ran" : "rung skipped" },
      el("strong", {}, rung),
      el("span", { class: "meaning" }, MEANING[rung] ?? ""),
      el("span", { class: "given" }, ran ? `gave ${amount(given, "token")}` : "skipped"),
      el("span", { class: "track", "aria-hidden": "true" }, el("i", { style: `width:${((100 * Math.max(0, given)) / Math.max(1, before.tokens)).toFixed(2)}%` })),
      el("span", { class: "reason" }, reason, !ran && el("code", {}, code)),
    );
  });
  return el("section", {}, el("h3", {}, "The ladder"), el("ol", { class: "rungs" }, ...items));
}

export function repairList(repairs: readonly Repair[]): HTMLElement | undefined {
  if (repairs.length === 0) return undefined;
  const items = repairs.map(({ kind, index, message }) =>
    el("li", {}, el("a", { href: index < 0 ? "#m-1" : `#m${index}` }, index < 0 ? "request" : `message ${count(index)}`), el("span", {}, message), el("code", {}, kind)),
  );
  return el("section", {}, el("h3", {}, "Repairs"), el("ul", { class: "repairs" }, ...items));
}
