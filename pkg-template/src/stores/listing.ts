/** Lists, moments and paths: what stores do alike. */
import { OptionError, unknownNode } from "../errors.js";
import { isTable } from "../json.js";
import type { Listed, Node, NodeId, Part } from "./store.js";

export interface ListOptions {
  limit?: number;
  before?: number;
}

/** @throws {OptionError} for limits that are none. */
export function listOptions(options: ListOptions = {}): { limit: number; before: number } {
  const { limit = Infinity, before = Infinity } = options;
  if (!(limit >= 0)) throw new OptionError(`\`limit\` is a number of conversations, not ${String(limit)}.`);
  if (Number.isNaN(Number(before))) throw new OptionError("`before` is a moment in milliseconds since 1970.");
  return { limit: Math.floor(limit), before };
}

/** The page that was asked for, newest first. Where several have the moment of its last entry they all come: `before` that moment, they would be lost. */
export function pageOf(all: Listed[], options?: ListOptions): Listed[] {
  const { limit, before } = listOptions(options);
  const wanted = all.filter(({ updatedAt }) => updatedAt < before).sort((a, b) => b.updatedAt - a.updatedAt);
  const last = limit > 0 ? wanted[limit - 1]?.updatedAt : undefined;
  return wanted.filter(({ updatedAt }, index) => index < limit || updatedAt === last);
}

/** What a list shows of a head, which may be of any shape. */
export function shownOf(head: unknown): Pick<Listed, "tip" | "meta"> {
  const { tip, meta } = isTable(head) ? head : {};
  return { tip: typeof tip === "string" ? tip : null, meta: isTable(meta) ? meta : {} };
}

/** The moment of a commit: now, or just after the newest that is stored where the clock does not go on. So no two commits have the same. */
export function momentAfter(newest: number): number {
  return Math.max(Date.now(), newest + 1);
}

/** @throws {OptionError} for a part that is none. */
export function checkPart(part: Part | undefined): void {
  if (part !== undefined && !(Number.isSafeInteger(part.path) && part.path > 0)) throw new OptionError("A part of a path is at least one node.");
}

/** The newest nodes of a path, oldest first. Never more than are stored, whatever their parents say.
 *  @throws "unknown-node" when it was asked to end at one that is not stored. */
export function pathOf({ path: most, to }: Part, tip: NodeId | null, nodeOf: (id: NodeId) => Node | undefined): Node[] {
  if (to !== undefined && !nodeOf(to)) throw unknownNode(to, "The end of the path");
  const path: Node[] = [];
  const seen = new Set<NodeId>();
  for (let id = to ?? tip; id !== null && path.length < most && !seen.has(id); ) {
    const node = nodeOf(id);
    if (!node) break;
    seen.add(id);
    path.push(node);
    id = node.parent;
  }
  return path.reverse();
}
