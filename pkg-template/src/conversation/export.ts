/** A conversation as a file (`docs/export.md`). */
import { OptionError, shortened } from "../errors.js";
import { inlineBlobs } from "../stores/blobs.js";
import { plain } from "../stores/plain.js";
import type { Node } from "../stores/store.js";
import type { Exported } from "./exported.js";
import { html } from "./html.js";
import { markdown } from "./markdown.js";
import type { HeadTold, State } from "./state.js";

export type ExportKind = "json" | "jsonl" | "markdown" | "html";

/** Version of "json" and "jsonl". */
export const EXPORT = 1;

export function exportAs(state: State, kind: ExportKind): string {
  const { nodes, ...head } = exportedOf(state);
  switch (kind) {
    case "json": {
      // A node a line: two exports can be compared line by line.
      const lines = nodes.map((node) => JSON.stringify(node));
      const before = JSON.stringify({ palimpsest: EXPORT, ...head });
      return `${before.slice(0, -1)},"nodes":[${lines.length > 0 ? `\n${lines.join(",\n")}\n` : ""}]}\n`;
    }
    case "jsonl":
      return [{ palimpsest: EXPORT, ...head }, ...nodes].map((line) => `${JSON.stringify(line)}\n`).join("");
    case "markdown":
      return markdown(state);
    case "html":
      return html(state);
    default:
      throw new OptionError(`A conversation is exported as "json", "jsonl", "markdown" or "html", not as ${shortened(String(kind))}.`);
  }
}

/** All that is in memory, as JSON says it. */
function exportedOf(state: State): Exported {
  const head = state.head(headTold(state));
  const nodes = plain(inlineBlobs([...state.nodes.all()]), "The conversation") as Node[];
  return { id: state.id, agent: state.agent, ...(plain(head, "The head") as typeof head), nodes: inOrder(nodes) };
}

function headTold(state: State): HeadTold {
  return { tip: state.tip(), records: state.records.ids(), checkpoints: state.call("checkpoints") };
}

/** Parents before their children: a message that was replaced while it streamed stands behind what came later. */
function inOrder(nodes: readonly Node[]): Node[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const placed = new Set<string>();
  const ordered: Node[] = [];
  for (const node of nodes) {
    const way: Node[] = [];
    for (let at: Node | undefined = node; at && !placed.has(at.id); at = at.parent === null ? undefined : byId.get(at.parent)) {
      placed.add(at.id);
      way.push(at);
    }
    while (way.length > 0) ordered.push(way.pop()!);
  }
  return ordered;
}
