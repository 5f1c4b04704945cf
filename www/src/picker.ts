/** The model picker: a text box that searches a list. Any name may be typed; arrows, Enter and Escape work as in other such boxes. */
import { el } from "./dom.js";
import type { Pick } from "./protocol.js";
import { short } from "./words.js";

export interface Picker {
  element: HTMLElement;
  set(id: string): void;
}

export function picker(models: readonly Pick[], onPick: (id: string) => void): Picker {
  const list = el("ul", { id: "models", role: "listbox", "aria-label": "Models", hidden: true });
  const input = el("input", {
    id: "model", type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", placeholder: "search models",
    "aria-expanded": "false", "aria-controls": "models", "aria-autocomplete": "list",
  });
  let chosen = "";
  let active = -1;

  const options = (): HTMLElement[] => [...list.children] as HTMLElement[];
  const mark = (index: number): void => {
    active = index;
    for (const [i, option] of options().entries()) option.setAttribute("aria-selected", String(i === index));
    const option = options()[index];
    if (option) {
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else input.removeAttribute("aria-activedescendant");
  };
  const open = (words: string): void => {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    const found = models.filter(({ id }) => wanted.every((word) => id.toLowerCase().includes(word)));
    list.replaceChildren(
      ...found.map(({ id, window, vision }, i) =>
        el("li", { id: `model-${i}`, role: "option", "data-id": id, onmousedown: (event) => (event.preventDefault(), pick(id)) }, el("span", {}, id), el("small", {}, `${short(window)}${vision ? " · pictures" : ""}`)),
      ),
    );
    if (found.length === 0) list.append(el("li", { class: "none" }, "No known model. Enter takes the name as it is."));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    mark(found.findIndex(({ id }) => id === chosen));
  };
  const close = (): void => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    mark(-1);
  };
  const pick = (id: string): void => {
    close();
    input.value = id;
    if (id === chosen) return;
    chosen = id;
    onPick(id);
  };

  input.addEventListener("focus", () => input.select());
  input.addEventListener("click", () => open(""));
  input.addEventListener("input", () => open(input.value));
  input.addEventListener("blur", () => {
    close();
    pick(input.value.trim());
  });
  input.addEventListener("keydown", (event) => {
    const last = options().length - 1;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) open("");
      else mark(event.key === "ArrowDown" ? Math.min(last, active + 1) : Math.max(0, active - 1));
    } else if (event.key === "Enter") {
      event.preventDefault();
      pick(options()[active]?.dataset["id"] ?? input.value.trim());
    } else if (event.key === "Escape") {
      input.value = chosen;
      close();
    }
  });
  const element = el("div", { class: "field picker" }, el("label", { for: "model" }, "Model"), input, list);
  return { element, set: (id) => (input.value = chosen = id) };
}
