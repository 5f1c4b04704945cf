/** Conversations to be stored. */
import type { Change, Node, Store, Stored } from "../../../../pkg/stores/store.js";

let counter = 0;

/** An id that is used once in this process, and hardly again anywhere. */
export const fresh = (): string => `n${(counter++).toString(36)}-${Math.random().toString(36).slice(2)}`;

export function node(parent: string | null, words: string, more: object = {}): Node {
  return { id: fresh(), parent, at: 1_700_000_000_000 + counter, message: { role: "user", content: words, ...more } };
}

/** A chain of nodes below `parent`. */
export function chain(parent: string | null, ...words: string[]): Node[] {
  const nodes: Node[] = [];
  for (const each of words) nodes.push(node(nodes.at(-1)?.id ?? parent, each));
  return nodes;
}

/** A change that adds these nodes and puts the tip at the last of them. */
export function change(nodes: Node[], more: Partial<Change> = {}): Change {
  return { tip: nodes.at(-1)?.id ?? null, records: [], checkpoints: [], format: "openai-chat", meta: {}, notes: {}, nodes, ...more };
}

/** The head of what is stored, for a commit that adds nodes to it. */
export function after({ revision: _, version: __, nodes: ___, ...head }: Stored, nodes: Node[]): Change {
  return { ...head, nodes, tip: nodes.at(-1)?.id ?? head.tip };
}

/** Commits as the contract says a client does: on a conflict load again, unite (nodes are added wherever the tip is by now), commit again. */
export async function commitUnited(store: Store, id: string, agent: string, nodes: Node[], known?: Stored): Promise<{ revision: number; conflicts: number }> {
  let stored = known;
  for (let conflicts = 0; ; conflicts++) {
    const base = stored?.revision ?? 0;
    const added = stored ? after(stored, nodes) : change(nodes);
    try {
      return { revision: await store.commit(id, agent, base, added), conflicts };
    } catch (error) {
      if ((error as { code?: string }).code !== "conflict") throw error;
      stored = await store.load(id, agent);
    }
  }
}

/** What a tree of nodes must be: ids once, parents before children. */
export function faultsOf(nodes: Node[]): string[] {
  const seen = new Set<string>();
  const faults: string[] = [];
  for (const { id, parent } of nodes) {
    if (seen.has(id)) faults.push(`twice: ${id}`);
    if (parent !== null && !seen.has(parent)) faults.push(`before its parent: ${id}`);
    seen.add(id);
  }
  return faults;
}
