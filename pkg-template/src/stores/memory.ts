/** "palimpsest/memory": conversations for as long as the program runs. */
import { unknownNode } from "../errors.js";
import { alreadyStored, checkedChange, checkNames, conflict, noBytes } from "./change.js";
import { checkPart, momentAfter, pageOf, pathOf, shownOf } from "./listing.js";
import { Listeners } from "./listeners.js";
import { copied } from "./plain.js";
import { type Head, LAYOUT, type Listed, type Node, type NodeId, type Part, type Store, type Stored } from "./store.js";

export type { Change, Head, Listed, Node, NodeId, Part, Store, Stored } from "./store.js";

interface Kept {
  id: string;
  agent: string;
  revision: number;
  updatedAt: number;
  head: Head;
  nodes: Map<NodeId, Node>;
  uses: Set<string>;
}

/** A store in memory: for tests, and for what need not outlive the page. Copies in and out, so nobody's later change shows. */
export function memoryStore(): Store {
  const all = new Map<string, Kept>();
  const blobs = new Map<string, Uint8Array>();
  const listeners = new Listeners();
  const keyOf = (id: string, agent: string): string => JSON.stringify([id, agent]);
  let newest = 0;
  /** The highest revision that was removed. */
  let floor = 0;

  return {
    async load(id, agent, part) {
      checkNames(id, agent);
      checkPart(part);
      const kept = all.get(keyOf(id, agent));
      if (!kept) return undefined;
      return copied<Stored>({ ...kept.head, revision: kept.revision, nodes: partOf(kept, part), version: LAYOUT });
    },

    async commit(id, agent, base, change) {
      const checked = checkedChange(id, agent, base, change);
      const kept = all.get(keyOf(id, agent));
      if ((kept?.revision ?? 0) !== base) throw conflict(id, base, kept?.revision ?? 0);
      for (const [node, what] of checked.outside) if (!kept?.nodes.has(node)) throw unknownNode(node, what);
      for (const { id: node } of checked.nodes) if (kept?.nodes.has(node)) throw alreadyStored(node);
      const given = new Set(checked.blobs.map(({ hash }) => hash));
      for (const hash of checked.uses) if (!given.has(hash) && !blobs.has(hash)) throw noBytes(hash);

      for (const { hash, bytes } of checked.blobs) if (!blobs.has(hash)) blobs.set(hash, bytes);
      newest = momentAfter(newest);
      const revision = kept ? base + 1 : floor + 1;
      const next = kept ?? { id, agent, nodes: new Map<NodeId, Node>(), uses: new Set<string>() };
      for (const node of checked.nodes) next.nodes.set(node.id, node);
      for (const hash of [...checked.uses, ...given]) next.uses.add(hash);
      all.set(keyOf(id, agent), Object.assign(next, { revision, updatedAt: newest, head: checked.head }));
      listeners.tell(id, agent, revision);
      return revision;
    },

    async blob(hash) {
      return blobs.get(hash)?.slice();
    },

    async list(options) {
      const entries = [...all.values()].map(({ id, agent, head, nodes, updatedAt }): Listed => ({ id, agent, messages: nodes.size, updatedAt, ...shownOf(head) }));
      return copied(pageOf(entries, options));
    },

    async remove(id, agent) {
      checkNames(id, agent ?? "");
      for (const [key, kept] of all) {
        if (kept.id !== id || (agent !== undefined && kept.agent !== agent)) continue;
        all.delete(key);
        floor = Math.max(floor, kept.revision);
        listeners.tell(id, kept.agent, 0);
      }
      const used = new Set([...all.values()].flatMap(({ uses }) => [...uses]));
      for (const hash of blobs.keys()) if (!used.has(hash)) blobs.delete(hash);
    },

    subscribe: (listener) => listeners.add(listener),
  };
}

function partOf({ nodes, head }: Kept, part: Part | undefined): Node[] {
  if (!part) return [...nodes.values()];
  return pathOf(part, head.tip, (id) => nodes.get(id));
}
