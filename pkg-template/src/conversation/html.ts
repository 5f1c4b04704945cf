/** All branches as one page that needs nothing else: no script, no style or picture from elsewhere. Branches beside the one that is shown are folded. */
import type { Node, NodeId } from "../stores/store.js";
import { type Block, blocksOf, speakerOf } from "./blocks.js";
import { moment } from "./markdown.js";
import type { State } from "./state.js";

const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent); }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
article { margin: 1.25rem 0; padding-left: .75rem; border-left: 3px solid var(--line); }
article.user { border-color: #3b7dd8; }
article.assistant { border-color: #3c9a5f; }
h2 { margin: 0; font-size: .85rem; font-weight: 600; }
h2 small { font-weight: 400; opacity: .7; }
pre { margin: .35rem 0; white-space: pre-wrap; font: inherit; }
pre.code { font: .85rem/1.45 ui-monospace, monospace; max-height: 30rem; overflow: auto; }
details { margin: .5rem 0; }
details.branch { padding-left: .75rem; border-left: 3px dashed var(--line); }
summary { cursor: pointer; opacity: .8; }
img { max-width: 100%; }
`;

export function html(state: State): string {
  const { title } = state.meta as { title?: unknown };
  const name = escaped(typeof title === "string" && title.trim() !== "" ? title : state.id);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${name}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${name}</h1>
${branches(state)}</body>
</html>
`;
}

/** What is still to be written: a node with all that follows it, or a piece of the page. */
type Task = { from: NodeId; title?: string } | { text: string };

function branches(state: State): string {
  const children = new Map<NodeId | null, Node[]>();
  const known = new Map<NodeId, Node>();
  for (const node of state.nodes.all()) known.set(node.id, node);
  for (const node of known.values()) {
    // Of a part the first message follows one that is not here.
    const parent = node.parent !== null && known.has(node.parent) ? node.parent : null;
    const siblings = children.get(parent);
    if (siblings) siblings.push(node);
    else children.set(parent, [node]);
  }
  const shown = new Set(state.views.path().map(({ id }) => id));
  const labels = new Map<NodeId, string[]>();
  for (const { label, at } of state.call<{ label: string; at: NodeId }[]>("checkpoints")) labels.set(at, [...(labels.get(at) ?? []), label]);

  const page: string[] = [];
  const tasks: Task[] = [];
  /** The newest of several goes on, or the one that leads to the tip; the others are folded before it. */
  const follow = (parent: NodeId | null): void => {
    const all = children.get(parent) ?? [];
    const main = all.find(({ id }) => shown.has(id)) ?? all.at(-1);
    if (main) tasks.push({ from: main.id });
    for (const other of all.filter((node) => node !== main).reverse()) {
      tasks.push({ text: "</details>\n" }, { from: other.id }, { text: `<details class="branch"><summary>${escaped(first(other))}</summary>\n` });
    }
  };
  follow(null);
  // A list of tasks, not recursion: a path may have a hundred thousand messages.
  for (let task = tasks.pop(); task; task = tasks.pop()) {
    if ("text" in task) page.push(task.text);
    else {
      const node = known.get(task.from)!;
      page.push(article(node, labels.get(node.id) ?? []));
      follow(node.id);
    }
  }
  return page.join("");
}

function first(node: Node): string {
  const words = blocksOf(node.message).find(({ text }) => text.trim() !== "")?.text.replace(/\s+/g, " ").trim() ?? "";
  const letters = [...words.slice(0, 200)];
  return `another branch: ${speakerOf(node.message)}: ${letters.length > 80 ? `${letters.slice(0, 79).join("")}…` : letters.join("")}`;
}

function article(node: Node, labels: readonly string[]): string {
  const role = speakerOf(node.message);
  const known = ["user", "assistant", "system", "tool"].includes(role) ? role : "other";
  const marks = [moment(node.at), ...labels.map((label) => `⚑ ${label}`)].filter((mark) => mark !== "").map((mark) => ` <small>${escaped(mark)}</small>`);
  return `<article class="${known}"><h2>${escaped(role)}${marks.join("")}</h2>\n${blocksOf(node.message).map(block).join("")}</article>\n`;
}

function block({ kind, name, text }: Block): string {
  switch (kind) {
    case "text":
      return `<pre>${escaped(text)}</pre>\n`;
    case "reasoning":
      return folded("thinking", `<pre>${escaped(text)}</pre>`);
    case "call":
      return folded(`calls ${name}`, `<pre class="code">${escaped(text)}</pre>`);
    case "result":
      return folded("result", `<pre class="code">${escaped(text)}</pre>`);
    case "picture":
      return PICTURE.test(text) ? `<img alt="a picture" src="${escaped(text)}">\n` : `<p>a picture${text === "" || text.startsWith("data:") ? "" : `: ${escaped(text)}`}</p>\n`;
    case "other":
      return folded(name || "other", `<pre class="code">${escaped(text)}</pre>`);
  }
}

/** Kinds of pictures that hold no script. */
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/;

function folded(title: string, inner: string): string {
  return `<details><summary>${escaped(title)}</summary>${inner}</details>\n`;
}

/** For text and for attributes in double quotes. What HTML cannot hold stands as a replacement character. */
function escaped(text: string): string {
  return text.replace(/[&<>"'\0]/g, (letter) => ESCAPES[letter] ?? "\ufffd");
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
