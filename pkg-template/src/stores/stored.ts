/** Reads what a store holds: brings old layouts up to date, checks the shape, and saves what can be saved of what is broken. */
import { CorruptStoreError, shortened } from "../errors.js";
import { isTable } from "../json.js";
import { headFaults, nodeFault } from "./change.js";
import { type Head, LAYOUT, type Node, type NodeId, type Part, type Store, type Stored } from "./store.js";

/** What was found, not to be trusted in any way. */
export interface Found {
  id: string;
  version: unknown;
  revision: unknown;
  head: unknown;
  nodes: unknown[];
  /** What could not even be read, in words. */
  lost: string[];
  /** Only a part of a path: its first node may have a parent, and tip and labels may lie outside. */
  part?: boolean;
}

/**
 * What a store gives under a name, if anything. A store of the caller's may hold what is of no shape; where all is well nothing is copied.
 * Rejects: CorruptStoreError with what could be saved, whatever the store says.
 */
export async function loaded(store: Store, id: string, agent: string, part?: Part): Promise<Stored | undefined> {
  const given: unknown = part ? await store.load(id, agent, part) : await store.load(id, agent);
  if (given === undefined || given === null) return undefined;
  const { nodes, revision, version, ...head } = (isTable(given) ? given : {}) as Record<string, unknown>;
  const listed = Array.isArray(nodes);
  const numbered = version === LAYOUT && Number.isSafeInteger(revision) && (revision as number) > 0;
  if (numbered && listed && headFaults(given).length === 0 && nodes.every((node) => nodeFault(node) === undefined)) return given as Stored;
  return storedOf({ id, version, revision, head, nodes: listed ? nodes : [], lost: listed ? [] : ["`nodes` is no list"], part: part !== undefined });
}

/** `UPGRADES[n]` makes layout n + 1 of layout n. There is one layout so far; the next writes its step here, numbered, and it stays for ever. */
const UPGRADES: Readonly<Record<number, (found: Found) => Found>> = {};

/** @throws {CorruptStoreError} when it is not whole, or was written by a later version of this package. */
export function storedOf(found: Found): Stored {
  const { version } = found;
  const known = typeof version === "number" && Number.isInteger(version) && version >= 1;
  if (known && version > LAYOUT) throw newer(found.id, version);
  let current = found;
  for (let from = known ? version : LAYOUT; from < LAYOUT; from++) current = UPGRADES[from]?.(current) ?? current;

  const faults = [...current.lost];
  if (!known) faults.push("it names no version");
  const revision = Number.isSafeInteger(current.revision) && (current.revision as number) > 0 ? (current.revision as number) : 0;
  if (revision === 0) faults.push("it names no revision");
  const nodes = wholeNodes(current, faults);
  const head = wholeHead(current, nodes, faults);
  const stored = { ...head, revision, nodes, version: LAYOUT };
  if (faults.length > 0) throw corrupt(current.id, faults, stored);
  return stored;
}

function wholeNodes({ nodes, part }: Found, faults: string[]): Node[] {
  const ids = new Set<NodeId>();
  const whole: Node[] = [];
  for (const given of nodes) {
    const fault = nodeFault(given);
    if (fault !== undefined) {
      faults.push(fault);
      continue;
    }
    let node = given as Node;
    if (ids.has(node.id)) {
      faults.push(`two nodes have the id ${shortened(node.id)}`);
      continue;
    }
    const open = part && whole.length === 0;
    if (node.parent !== null && !ids.has(node.parent) && !open) {
      faults.push(`the message that ${shortened(node.id)} follows is gone`);
      // It begins a tree of its own: its words, and all that follow it, are still there.
      node = { ...node, parent: null };
    }
    ids.add(node.id);
    whole.push(node);
  }
  return whole;
}

/** The head with every wrong field made harmless. */
function wholeHead({ head, part }: Found, nodes: readonly Node[], faults: string[]): Head {
  const wrong = headFaults(head);
  const given = (isTable(head) ? head : {}) as unknown as Head;
  const gone = (tip: NodeId | null): boolean => tip !== null && !nodes.some(({ id }) => id === tip);
  if (wrong.length === 0 && (part || !gone(given.tip))) return given;
  faults.push(...(wrong.length > 0 ? wrong : ["the message the tip stands at is gone"]));
  const blank: Head = { tip: null, records: [], checkpoints: [], format: "openai-chat", meta: {}, notes: {} };
  const mended: Head = { ...blank };
  for (const [key, value] of Object.entries(given)) {
    // A field at a time: one that is wrong does not cost the others.
    if (headFaults({ ...blank, [key]: value }).length === 0) Object.assign(mended, { [key]: value });
  }
  if (typeof given.tip !== "string" || gone(given.tip)) mended.tip = nodes.at(-1)?.id ?? null;
  return mended;
}

/** @param saved what can be gone on with; of nothing at all there is nothing to be saved. */
export function corrupt(id: string, faults: readonly string[], saved?: Stored, cause?: unknown): CorruptStoreError {
  const some = faults.slice(0, 3).join("; ") + (faults.length > 3 ? `; and ${faults.length - 3} faults more` : "");
  const kept = saved && saved.nodes.length > 0 ? saved : undefined;
  const rest = kept ? `${kept.nodes.length} messages could be saved, see \`saved\`` : "Nothing could be saved";
  return new CorruptStoreError(`Conversation ${shortened(id)} is not stored as it was written: ${some}. ${rest}.`, kept, { cause });
}

/** What a later version wrote is not broken, but this one cannot tell. */
export function newer(id: string, version: number): CorruptStoreError {
  return new CorruptStoreError(`Conversation ${shortened(id)} was written by a later version of palimpsest (layout ${version}, this one knows ${LAYOUT}). Use that version.`);
}
