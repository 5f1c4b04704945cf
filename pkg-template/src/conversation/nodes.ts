/** The nodes of a conversation as JavaScript holds them: the caller's own messages, by number and by id. */
import type { Node, NodeId } from "../stores/store.js";

export class Nodes<M> {
  /** By number. A number is never given twice; of a draft that was replaced nothing is left. */
  readonly messages: (M | undefined)[] = [];
  readonly #nodes: (Node<M> | undefined)[] = [];
  readonly #numbers = new Map<NodeId, number>();
  /** Ids of nodes that are not in the store. */
  readonly pending = new Set<NodeId>();

  get(id: NodeId): Node<M> | undefined {
    const number = this.#numbers.get(id);
    return number === undefined ? undefined : this.#nodes[number];
  }

  at(number: number): Node<M> {
    return this.#nodes[number] as Node<M>;
  }

  number(id: NodeId): number | undefined {
    return this.#numbers.get(id);
  }

  /** All of them, in the order they were added. */
  *all(): Generator<Node<M>> {
    for (const node of this.#nodes) if (node) yield node;
  }

  set(number: number, node: Node<M>): void {
    const before = this.#numbers.get(node.id);
    if (before !== undefined && before !== number) this.#forget(before);
    this.messages[number] = node.message;
    this.#nodes[number] = node;
    this.#numbers.set(node.id, number);
  }

  /** Ours gave up its id to one that was committed; ours that follow it name it by the new one. */
  rename(number: number, id: NodeId, former: NodeId): void {
    const node = { ...this.at(number), id };
    if (this.#numbers.get(former) === number) this.#numbers.delete(former);
    this.set(number, node);
    this.pending.delete(former);
    for (const other of this.pending) {
      const child = this.get(other);
      if (child?.parent === former) this.set(this.#numbers.get(other)!, { ...child, parent: id });
    }
    this.pending.add(id);
  }

  /** Taken back. */
  remove(number: number): void {
    const node = this.#nodes[number];
    if (!node) return;
    this.#forget(number);
    this.#numbers.delete(node.id);
    this.pending.delete(node.id);
  }

  /** The ids from a root, or from the first that is loaded, down to `id`. */
  pathTo(id: NodeId | null): NodeId[] {
    const path: NodeId[] = [];
    for (let node = id === null ? undefined : this.get(id); node; node = node.parent === null ? undefined : this.get(node.parent)) path.push(node.id);
    return path.reverse();
  }

  #forget(number: number): void {
    this.messages[number] = undefined;
    this.#nodes[number] = undefined;
  }
}
