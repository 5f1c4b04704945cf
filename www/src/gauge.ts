/** The gauge: what fills the window, before and after, on one scale. */
import type { Measure } from "palimpsest";
import { el } from "./dom.js";
import { amount, count, percent } from "./words.js";

/** Order along the bar; also the names of the colours in style.css. */
const PARTS = ["system", "tools", "text", "reasoning", "calls", "results", "images", "pages", "summary", "overhead"] as const;

/** `pages`: how many of the pictures after are pages. */
export function gauges(before: Measure, after: Measure, pages: number): HTMLElement {
  const scale = Math.max(before.window, before.tokens, after.tokens, 1);
  return el("div", { class: "gauges" }, gauge("Before", before, scale, 0), gauge("After", after, scale, pages), key(before), legend(before, after));
}

function gauge(title: string, measure: Measure, scale: number, pages: number): HTMLElement {
  const { tokens, messages, images, fill, window, reserve, thresholdTokens } = measure;
  const at = (value: number): string => `${((100 * value) / scale).toFixed(3)}%`;
  let sum = 0;
  const segments = PARTS.filter((part) => measure.parts[part] > 0).map((part) => {
    const style = `left:${at(sum)};width:${at(measure.parts[part])}`;
    sum += measure.parts[part];
    return el("span", { class: "segment", "data-part": part, style, title: `${part}: ${amount(measure.parts[part], "token")}` });
  });
  const over = tokens - window;
  return el(
    "figure",
    { class: "gauge" },
    el(
      "figcaption",
      {},
      el("strong", {}, title),
      el("span", {}, [amount(tokens, "token"), amount(messages, "message"), ...(pages > 0 ? [amount(pages, "page")] : []), ...(images > pages ? [amount(images - pages, "picture")] : [])].join(" · ")),
      el("span", { class: over > 0 ? "fill over" : "fill" }, `${percent(fill)} of the window`),
    ),
    el(
      "div",
      { class: "bar", role: "img", "aria-label": spoken(title, measure) },
      el("span", { class: "well", style: `width:${at(window)}` }),
      el("span", { class: "reserve", style: `left:${at(window - reserve)};width:${at(reserve)}` }),
      ...segments,
      over > 0 && el("span", { class: "beyond", style: `left:${at(window)};width:${at(over)}` }),
      el("span", { class: "threshold", style: `left:${at(thresholdTokens)}` }),
      el("span", { class: "end", style: `left:${at(window)}` }),
    ),
  );
}

function spoken(title: string, { tokens, window, fill, parts, thresholdTokens, reserve }: Measure): string {
  const shares = PARTS.filter((part) => parts[part] > 0).map((part) => `${part} ${count(parts[part])}`);
  return `${title}: ${count(tokens)} of ${count(window)} tokens, ${percent(fill)}. ${shares.join(", ")}. Acts at ${count(thresholdTokens)}; ${count(reserve)} are kept for the answer.`;
}

function key({ thresholdTokens, reserve, window }: Measure): HTMLElement {
  const item = (name: string, words: string): HTMLElement => el("span", {}, el("i", { class: name, "aria-hidden": "true" }), words);
  return el("p", { class: "key" }, item("threshold", `acts at ${count(thresholdTokens)}`), item("reserve", `${count(reserve)} kept for the answer`), item("end", `window ends at ${count(window)}`));
}

function legend(before: Measure, after: Measure): HTMLElement {
  const rows = PARTS.filter((part) => before.parts[part] + after.parts[part] > 0).map((part) => {
    const [then, now] = [before.parts[part], after.parts[part]];
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, el("i", { class: "swatch", "data-part": part, "aria-hidden": "true" }), part),
      el("td", {}, count(then)),
      el("td", {}, count(now)),
      el("td", { class: "change" }, then === now ? "" : `${now < then ? "−" : "+"}${count(Math.abs(now - then))}`),
    );
  });
  const head = el("tr", {}, el("th", { scope: "col" }, "tokens"), el("th", { scope: "col" }, "before"), el("th", { scope: "col" }, "after"), el("th", { scope: "col" }, "change"));
  return el("table", { class: "legend" }, el("thead", {}, head), el("tbody", {}, ...rows));
}
