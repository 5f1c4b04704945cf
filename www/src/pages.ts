/** Where messages became pages: a strip of them, each of which opens. */
import { el } from "./dom.js";
import type { LaidPages } from "./protocol.js";
import { view } from "./viewer.js";
import { amount } from "./words.js";

export function pagesRow(laid: LaidPages): HTMLElement {
  const { messages, leftOut, pages, facts } = laid;
  const thumbs = pages.map(({ source, width, height }, index) =>
    el(
      "li",
      {},
      el(
        "button",
        { type: "button", class: "thumb", "aria-haspopup": "dialog", "aria-label": `Open page ${index + 1} of ${pages.length}`, onclick: () => view(laid, index) },
        el("img", { src: source, width, height, alt: "", loading: "lazy" }),
      ),
    ),
  );
  const words = [
    `${amount(pages.length, "page")} ${pages.length === 1 ? "stands" : "stand"} for ${amount(messages, "message")}`,
    leftOut > 0 ? `of which the oldest ${amount(leftOut, "message")} found no room on them` : "",
    facts.length > 0 ? `with ${amount(facts.length, "exact string")} as text beside them` : "",
  ];
  return el("li", { class: "laid" }, el("strong", {}, "written over as pages"), el("span", {}, words.filter(Boolean).join(", ")), el("ol", { class: "thumbs" }, ...thumbs));
}
