/** The whole conversation at a glance: a stroke a message, as high as it was; in ink what is still sent of it. */
import { el } from "./dom.js";
import type { MessageEntry, PartKind } from "./protocol.js";
import { count } from "./words.js";

const HEIGHT = 64;
const SVG = "http://www.w3.org/2000/svg";
/** Letters that a replaced or emptied part still costs. */
const LINE = 80;

/** `onPick` is told which message was pointed at. */
export function strip(messages: readonly MessageEntry[], onPick: (index: number) => void): HTMLElement {
  const whole = messages.map(({ parts }) => parts.reduce((sum, { length }) => sum + length, 0));
  const most = Math.max(1, ...whole);
  const height = (length: number): number => (length === 0 ? 0 : Math.max(3, HEIGHT * Math.sqrt(length / most)));

  const paths = new Map<string, string>();
  const stroke = (name: string, x: number, tall: number): void => {
    if (tall > 0) paths.set(name, `${paths.get(name) ?? ""}M${x + 0.1} ${HEIGHT}V${(HEIGHT - tall).toFixed(1)}H${x + 0.9}V${HEIGHT}Z`);
  };
  for (const [x, { fate, parts }] of messages.entries()) {
    stroke("ghost", x, height(whole[x]!));
    if (fate === "dropped") continue;
    if (fate === "drawn") {
      stroke("pages", x, height(whole[x]!));
      continue;
    }
    const left = parts.reduce((sum, part) => sum + (part.fate === "kept" ? part.length : part.fate === "replaced" ? LINE : 0), 0);
    stroke(colourOf(messages[x]!), x, height(left));
  }

  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", `0 0 ${messages.length} ${HEIGHT}`);
  picture.setAttribute("preserveAspectRatio", "none");
  for (const [name, d] of paths) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", name);
    path.setAttribute("d", d);
    picture.append(path);
  }
  const sent = messages.filter(({ fate }) => fate !== "dropped").length;
  const figure = el("figure", { class: "strip", role: "img", "aria-label": `${count(messages.length)} messages, ${count(sent)} of them still sent` });
  figure.append(picture);
  picture.addEventListener("click", (event) => {
    const { left, width } = picture.getBoundingClientRect();
    const message = messages[Math.floor(((event.clientX - left) / width) * messages.length)];
    if (message) onPick(message.index);
  });
  return figure;
}

/** The kind of the longest part, a person's words before all. */
function colourOf({ role, parts }: MessageEntry): string {
  if (role === "user") return "person";
  const longest = parts.reduce<{ kind: PartKind; length: number }>((most, part) => (part.length > most.length ? part : most), { kind: "text", length: -1 });
  return longest.kind;
}
