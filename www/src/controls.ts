/** The settings: model, window, threshold, target. */
import { el } from "./dom.js";
import { picker } from "./picker.js";
import type { Pick, Settings } from "./protocol.js";
import { count, percent, tokensOf } from "./words.js";

/** Where the slider stops. */
const STOPS = [16, 20, 24, 32, 40, 48, 64, 80, 96, 128, 160, 200, 256, 320, 400, 512, 640, 800, 1000].map((thousands) => thousands * 1000);
/** Shown while neither file nor model tell a window. */
const UNKNOWN = 128_000;

export interface Controls {
  settings(): Settings;
  /** Starts anew for a file; without `window` with the model's own. */
  begin(model: string, window?: number, shares?: { threshold: number; target: number }): void;
  /** What the window turned out to be. */
  learn(window: number): void;
}

export function controls(form: HTMLElement, models: readonly Pick[], onChange: () => void): Controls {
  let model = "";
  let window: number | undefined;
  const known = (): number | undefined => models.find(({ id }) => id === model)?.window;

  const models_ = picker(models, (id) => {
    model = id;
    show();
    onChange();
  });
  const slider = el("input", { type: "range", id: "window", min: 0, max: STOPS.length - 1, step: 1 });
  const exact = el("input", { type: "text", id: "tokens", class: "figure", inputmode: "numeric", autocomplete: "off", "aria-label": "Window in tokens" });
  const own = el("button", { type: "button", class: "link" });
  const threshold = share("threshold", "Threshold", "where it acts", 0.8, change);
  const target = share("target", "Target", "how far down it goes", 0.5, change);

  function change(): void {
    onChange();
  }
  function show(shown = window ?? known() ?? UNKNOWN): void {
    const stop = STOPS.findIndex((tokens) => tokens >= shown);
    slider.value = String(stop < 0 ? STOPS.length - 1 : stop);
    slider.setAttribute("aria-valuetext", `${count(shown)} tokens`);
    if (document.activeElement !== exact) exact.value = count(shown);
    const theirs = known();
    own.hidden = window === undefined || theirs === undefined || theirs === window;
    if (theirs !== undefined) own.textContent = `Back to the model’s own, ${count(theirs)}`;
  }
  function setWindow(tokens: number | undefined): void {
    window = tokens;
    show();
    onChange();
  }
  slider.addEventListener("input", () => setWindow(STOPS[Number(slider.value)]));
  exact.addEventListener("change", () => {
    const tokens = tokensOf(exact.value);
    exact.setAttribute("aria-invalid", String(tokens === undefined));
    if (tokens !== undefined) setWindow(tokens);
  });
  exact.addEventListener("blur", () => {
    exact.removeAttribute("aria-invalid");
    show();
  });
  own.addEventListener("click", () => setWindow(undefined));

  form.addEventListener("submit", (event) => event.preventDefault());
  form.append(
    models_.element,
    el("div", { class: "field" }, el("label", { for: "window" }, "Window"), exact, slider, el("span", { class: "ends", "aria-hidden": "true" }, el("span", {}, "16k"), el("span", {}, "1M")), own),
    threshold.element,
    target.element,
  );
  return {
    settings: () => ({ model, threshold: threshold.value(), target: target.value(), ...(window !== undefined && { window }) }),
    begin(name, tokens, shares) {
      if (shares) threshold.set(shares.threshold);
      if (shares) target.set(shares.target);
      model = name;
      window = tokens;
      models_.set(name);
      show();
    },
    learn: (tokens) => show(tokens),
  };
}

function share(id: string, name: string, what: string, value: number, onChange: () => void): { element: HTMLElement; value(): number; set(value: number): void } {
  const input = el("input", { type: "range", id, min: 5, max: 100, step: 5, value: 100 * value });
  const output = el("output", { for: id, class: "figure" }, percent(value));
  const tell = (): void => {
    output.textContent = percent(Number(input.value) / 100);
  };
  input.addEventListener("input", () => {
    tell();
    onChange();
  });
  return {
    element: el("div", { class: "field" }, el("label", { for: id }, name, el("small", {}, what)), output, input),
    value: () => Number(input.value) / 100,
    set(value) {
      input.value = String(100 * value);
      tell();
    },
  };
}
