/** One page at a time, at the size at which a model gets it or larger, with the exact strings beside it. */
import { el } from "./dom.js";
import type { LaidPages } from "./protocol.js";
import { count } from "./words.js";

/** Pixels of the screen for one of the page; 0 fits its width into the room there is. */
const ZOOMS = [["0", "Fit"], ["1", "1:1"], ["2", "2×"], ["3", "3×"]] as const;

/** Opens it. Escape and a click beside it close it; the focus goes back to where it was. */
export function view({ pages, facts }: LaidPages, first: number): void {
  let at = first;
  let zoom = 1;
  const image = el("img", { alt: "" });
  const sheet = el("div", { class: "sheet", tabindex: "0", role: "region" }, image);
  const title = el("h2", { id: "page-title", "aria-live": "polite" });
  const back = el("button", { type: "button", onclick: () => show(at - 1) }, "Previous");
  const next = el("button", { type: "button", onclick: () => show(at + 1) }, "Next");
  const dialog = el(
    "dialog",
    { class: "viewer", "aria-labelledby": "page-title" },
    el("header", {}, title, el("div", { class: "turn" }, back, next), zooms((chosen) => ((zoom = chosen), size())), el("button", { type: "button", class: "close", onclick: () => dialog.close() }, "Close")),
    sheet,
    el("aside", { "aria-label": "Exact strings" }, el("h3", {}, "Exact strings"), el("p", {}, facts.length > 0 ? "They travel as text beside the pages, so that none of them is read wrong." : "None stand on these pages."), el("ul", { tabindex: "0" }, ...facts.map((fact) => el("li", {}, fact)))),
  );

  function show(index: number): void {
    const page = pages[index];
    if (page === undefined) return;
    at = index;
    title.textContent = `Page ${at + 1} of ${pages.length}`;
    title.append(el("small", {}, `${count(page.width)} × ${count(page.height)} pixels`));
    sheet.setAttribute("aria-label", `Page ${at + 1}`);
    image.src = page.source;
    image.alt = `Page ${at + 1}, as the model gets it`;
    back.disabled = at === 0;
    next.disabled = at === pages.length - 1;
    sheet.scrollTo(0, 0);
    size();
  }
  function size(): void {
    image.style.width = zoom === 0 ? "100%" : `${pages[at]!.width * zoom}px`;
  }

  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  show(at);
  dialog.showModal();
  sheet.focus();
}

function zooms(onPick: (zoom: number) => void): HTMLElement {
  const choice = ([value, words]: (typeof ZOOMS)[number]): HTMLElement =>
    el("label", {}, el("input", { type: "radio", name: "zoom", value, checked: value === "1", onchange: () => onPick(Number(value)) }), el("span", {}, words));
  return el("fieldset", { class: "show" }, el("legend", { class: "unseen" }, "Size"), ...ZOOMS.map(choice));
}
