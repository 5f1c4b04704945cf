/** The page: a file goes in, its worker compacts it, and what came of it is shown. */
import "@fontsource-variable/source-sans-3/wght.css";
import "@fontsource-variable/source-serif-4/opsz.css";
import "./style.css";
import { ask, newest } from "./client.js";
import { type Controls, controls } from "./controls.js";
import { byId, el } from "./dom.js";
import { bundledFile, download, takeFiles } from "./files.js";
import { gauges } from "./gauge.js";
import { forgotten, keeping, notKept } from "./keeping.js";
import type { Opened, Result } from "./protocol.js";
import { repairList, rungList } from "./rungs.js";
import { timeline } from "./timeline.js";
import { amount, count, percent, size } from "./words.js";

/** The window at which the bundled session is shown: small enough for the ladder to be needed, with room for all the pages. */
const BUNDLED_WINDOW = 48_000;
/** Milliseconds of work after which the page says that it is at it. */
const PATIENCE = 150;

let panel: Controls | undefined;
let opened: Opened | undefined;

const result = byId("result");
const error = byId("error");
const status = byId("status");

/** One line about what went wrong; nothing when all is well. */
function complain(failure?: unknown): void {
  error.hidden = failure === undefined;
  error.textContent = failure === undefined ? "" : failure instanceof Error ? failure.message : String(failure);
}

async function busy<T>(words: string, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => (status.textContent = words), PATIENCE);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    status.textContent = "";
  }
}

async function open(file: File, window?: number): Promise<void> {
  try {
    const reading = ask("open", { name: file.name, file }, (share) => (status.textContent = `Reading ${file.name}: ${percent(share)}`));
    opened = await busy(`Reading ${file.name}`, reading);
    panel ??= controls(byId("controls"), await ask("models", null), recompute);
    panel.begin(opened.model ?? "", window);
    const kept = ask("keep", panel.settings()); // before any other settings are to be kept with it
    begin(opened);
    await keeping(kept);
  } catch (failure) {
    complain(`${file.name}: ${(failure as Error).message}`);
  }
}

function begin(opened: Opened): void {
  document.body.dataset["state"] = "open";
  byId("about").replaceChildren(about(opened));
  recompute();
}

/** What was open at the last visit. Whatever is wrong with it, a file can be opened. */
async function openAgain(): Promise<void> {
  try {
    const found = await busy("Opening what was kept", ask("again", null));
    if (found === null || opened !== undefined) return;
    const models = await ask("models", null);
    if (opened !== undefined) return;
    ({ opened } = found);
    panel = controls(byId("controls"), models, recompute);
    panel.begin(found.settings.model, found.settings.window, found.settings);
    begin(opened);
    await keeping(Promise.resolve());
  } catch (failure) {
    if (opened === undefined) notKept(failure);
  } finally {
    document.body.dataset["kept"] = String(opened !== undefined);
  }
}

/** As the page was before. */
async function forget(): Promise<void> {
  try {
    await ask("forget", null);
    opened = undefined;
    result.replaceChildren();
    complain();
    document.body.dataset["state"] = "empty";
    forgotten();
    byId("bundled").focus();
  } catch (failure) {
    notKept(failure);
  }
}

const recompute = newest(async () => {
  if (panel === undefined) return;
  result.setAttribute("aria-busy", "true");
  try {
    const settings = panel.settings();
    ask("remember", settings).catch(notKept);
    const made = await busy("Compacting", ask("compact", settings));
    if (opened === undefined) return; // forgotten meanwhile
    complain(made.unfit);
    panel.learn(made.before.window);
    show(made);
  } catch (failure) {
    if (opened === undefined) return;
    result.replaceChildren();
    complain(failure);
  }
  document.body.dataset["result"] = String(result.childElementCount > 0);
  result.removeAttribute("aria-busy");
}) as () => void;

function show(made: Result): void {
  const { before, after, report, entries } = made;
  const same = before.tokens === after.tokens && report.repairs.length === 0;
  const parts = [
    el("h2", { class: "headline" }, same ? `${count(before.tokens)} tokens ${fits(made) ? "fit as they are" : "do not fit"}` : figure(before.tokens, after.tokens)),
    el("p", { class: "verdict" }, ...verdict(made, same)),
    gauges(before, after, entries.reduce((sum, entry) => sum + (entry.kind === "pages" ? entry.pages.length : 0), 0)),
    rungList(report),
    repairList(report.repairs),
    timeline(entries),
  ];
  result.replaceChildren(...parts.filter((part) => part !== undefined));
}

function figure(before: number, after: number): HTMLElement {
  return el("span", {}, el("s", {}, count(before)), el("span", { class: "unseen" }, " tokens become "), ` ${count(after)} `, el("small", {}, "tokens"));
}

function fits({ report, unfit }: Result): boolean {
  return unfit === undefined && report.fits;
}

function verdict(made: Result, same: boolean): (Node | string)[] {
  const { report, after, violations } = made;
  const room = after.window - after.reserve;
  const good = fits(made);
  return [
    el("strong", { class: good ? "good" : "bad" }, good ? "Fits" : "Does not fit"),
    good ? `: ${count(after.tokens)} of the ${amount(room, "token")} beside the answer. ` : `: ${amount(after.tokens, "token")}, and ${count(room)} are free beside the answer. `,
    violations === 0 ? "The history breaks no rule of its format." : `The history breaks ${amount(violations, "rule")} of its format.`,
    good && !report.rungs.some(({ ran }) => ran) ? ` Nothing had to go${same ? ": the very same request comes back" : "; it was only mended"}. Make the window smaller to see the ladder at work.` : "",
  ];
}

function about({ name, kind, format, messages, bytes, skipped }: Opened): HTMLElement {
  const kinds = { request: "request body", messages: "array of messages", "claude-code": "Claude Code session" };
  const fact = (term: string, words: string): HTMLElement => el("div", {}, el("dt", {}, term), el("dd", {}, words));
  return el(
    "div",
    { class: "about" },
    el("h2", {}, name),
    el("dl", {}, fact("format", format), fact("kind", kinds[kind]), fact("messages", count(messages)), fact("size", size(bytes)), ...(skipped > 0 ? [fact("beside it", amount(skipped, "line"))] : [])),
  );
}

takeFiles((file) => void open(file));
void openAgain();
byId("forget").addEventListener("click", () => void forget());
byId("bundled").addEventListener("click", async () => {
  try {
    await open(await busy("Fetching the bundled session", bundledFile()), BUNDLED_WINDOW);
  } catch (failure) {
    complain(failure);
  }
});
byId("download").addEventListener("click", async () => download(await ask("body", null), `${(opened?.name ?? "request").replace(/\.jsonl?$/, "")}.compacted.json`));
byId("copy").addEventListener("click", async ({ currentTarget }) => {
  const button = currentTarget as HTMLButtonElement;
  try {
    await navigator.clipboard.writeText(await ask("body", null));
    button.textContent = "Copied";
  } catch {
    complain("The browser does not let this page copy. Download the result instead.");
  }
  setTimeout(() => (button.textContent = "Copy it"), 1500);
});
