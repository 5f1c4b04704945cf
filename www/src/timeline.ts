/** The timeline: every message of the input in its place, with what became of it. */
import { ask } from "./client.js";
import { el } from "./dom.js";
import { pagesRow } from "./pages.js";
import type { Entry, FullPart, MessageEntry, PartView } from "./protocol.js";
import { strip } from "./strip.js";
import { amount, count } from "./words.js";

const ROLES: Record<string, string> = { user: "person", tool: "results", developer: "system" };
const KINDS: Record<string, string> = { reasoning: "thinks", call: "calls", result: "result", image: "picture" };

/** Rows made in one go; the rest follow bit by bit, so that the page stays alive with thousands of them. */
const BATCH = 250;

export function timeline(entries: readonly Entry[]): HTMLElement {
  const messages = entries.filter((entry) => entry.kind === "message");
  const given = messages.filter(({ fate }) => fate !== "kept").length;
  const list = el("ol", { class: "timeline", "data-show": "all" });
  let made = 0;
  const make = (end: number): void => list.append(...entries.slice(made, (made = Math.max(made, end))).map(entryRow));
  const more = (): void => {
    make(made + BATCH);
    if (made < entries.length) setTimeout(() => list.isConnected && more());
  };
  more();
  const choice = (value: string, words: string): HTMLElement =>
    el("label", {}, el("input", { type: "radio", name: "show", value, checked: value === "all", onchange: () => (list.dataset["show"] = value) }), el("span", {}, words));
  return el(
    "section",
    { class: "story" },
    el("h3", {}, "The conversation"),
    el("p", { class: "note" }, "Each stroke is a message, as tall as it is long. What is sent stands in the colours of the gauge; the pale rest was given up. Choose a stroke to go there."),
    strip(messages, (index) => {
      make(entries.findIndex((entry) => entry.kind === "message" && entry.index === index) + 1);
      goTo(list, index);
    }),
    el("fieldset", { class: "show" }, el("legend", { class: "unseen" }, "Which messages to show"), choice("all", "Everything"), choice("sent", "What is sent"), choice("given", `What was given up${given > 0 ? ` (${amount(given, "message")})` : ""}`)),
    list,
  );
}

function entryRow(entry: Entry): HTMLElement {
  switch (entry.kind) {
    case "marker":
      return marker(entry.text);
    case "pages":
      return pagesRow(entry);
    case "message":
      return row(entry);
  }
}

function goTo(list: HTMLElement, index: number): void {
  const item = list.querySelector<HTMLElement>(`#m${index}`);
  if (item === null) return;
  list.dataset["show"] = "all";
  document.querySelector<HTMLInputElement>(".show input[value=all]")!.checked = true;
  item.scrollIntoView({ block: "center" });
  item.querySelector("summary")?.focus({ preventScroll: true });
}

function marker(text: string): HTMLElement {
  return el("li", { class: "marker" }, el("strong", {}, "context compacted"), el("span", {}, bare(text)));
}

/** Without the brackets in which the package writes. */
function bare(text: string): string {
  return text.replace(/^\[palimpsest: ([\s\S]*)\]$/, "$1");
}

function row({ index, role, fate, parts }: MessageEntry): HTMLElement {
  const full = el("div", { class: "full" });
  const details = el(
    "details",
    {},
    el(
      "summary",
      {},
      el("span", { class: "number" }, index < 0 ? "" : count(index)),
      el("span", { class: "role" }, ROLES[role] ?? role),
      el("span", { class: "parts" }, ...parts.map(line)),
      fate !== "kept" && el("span", { class: "fate" }, fateOf(fate, parts)),
    ),
    full,
  );
  details.addEventListener("toggle", () => {
    if (details.open && full.childElementCount === 0) void fillIn(full, index, parts);
  });
  return el("li", { id: `m${index}`, class: `message ${fate}`, "data-role": role }, details);
}

function fateOf(fate: MessageEntry["fate"], parts: readonly PartView[]): string {
  if (fate === "dropped") return "left out";
  if (fate === "drawn") return "on a page";
  const replaced = parts.filter((part) => part.fate === "replaced");
  if (replaced.length === 0) return "shortened";
  return replaced.every(({ kind }) => kind === "image") ? "picture left out" : "elided";
}

function line({ kind, title, preview, length, error, fate, now }: PartView): HTMLElement {
  const name = error ? "error" : KINDS[kind];
  return el(
    "span",
    { class: `part ${kind} ${fate}` },
    name !== undefined && el("i", { class: "kind" }, name),
    title !== "" && el("b", {}, title),
    el("span", { class: "words" }, kind === "image" ? "" : kind === "call" ? "" : preview),
    now !== undefined && el("span", { class: "now" }, bare(now)),
    kind === "result" && fate === "kept" && length > 400 && el("small", {}, `${amount(length, "letter")}`),
  );
}

async function fillIn(full: HTMLElement, index: number, views: readonly PartView[]): Promise<void> {
  let parts: FullPart[];
  try {
    parts = await ask("message", index);
  } catch (error) {
    full.append(el("p", {}, (error as Error).message));
    return;
  }
  full.append(
    ...parts.map(({ kind, title, text, source }, i) => {
      const view = views[i];
      const head = [KINDS[kind], title].filter(Boolean).join(" ");
      return el(
        "div",
        { class: `whole ${kind} ${view?.fate ?? ""}` },
        head !== "" && el("h4", {}, head),
        view?.now !== undefined && el("p", { class: "now" }, view.now),
        source !== undefined && el("img", { src: source, alt: "A picture from the conversation", loading: "lazy" }),
        text !== "" && el("pre", { tabindex: "0" }, text),
      );
    }),
  );
}
