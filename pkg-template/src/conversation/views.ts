/** What a screen shows of a conversation. The same array until something changes; a message more costs a copy of the list and no more. */
import type { CompactionRecord } from "../types.js";
import type { Node } from "../stores/store.js";
import type { Nodes } from "./nodes.js";
import type { Records } from "./records.js";

export type TimelineEntry<M = any> = { kind: "message"; node: Node<M>; inContext: boolean } | { kind: "compaction"; record: CompactionRecord };

export class Views<M> {
  #path: Node<M>[] | undefined;
  #timeline: TimelineEntry<M>[] | undefined;
  /** Messages that came after what the two show, in order. */
  #later: Node<M>[] = [];
  #laterInTimeline: Node<M>[] = [];
  /** Messages of the path, for requests. */
  #bodies: M[] | undefined;

  constructor(
    readonly call: <T>(op: string) => T,
    readonly nodes: Nodes<M>,
    readonly records: Records,
  ) {}

  path(): Node<M>[] {
    if (!this.#path) this.#path = this.call<number[]>("path").map((number) => this.nodes.at(number));
    else if (this.#later.length > 0) this.#path = this.#path.concat(this.#later);
    this.#later = [];
    return this.#path;
  }

  /** The messages of the path; to be copied by whoever gives them away. */
  bodies(): readonly M[] {
    return (this.#bodies ??= this.path().map(({ message }) => message));
  }

  timeline(): TimelineEntry<M>[] {
    if (!this.#timeline) {
      const entries = this.call<([number, boolean] | string)[]>("timeline");
      this.#timeline = entries.flatMap((entry) => this.#entry(entry));
    } else if (this.#laterInTimeline.length > 0) {
      this.#timeline = this.#timeline.concat(this.#laterInTimeline.map((node) => ({ kind: "message", node, inContext: true })));
    }
    this.#laterInTimeline = [];
    return this.#timeline;
  }

  #entry(entry: [number, boolean] | string): TimelineEntry<M>[] {
    if (typeof entry !== "string") return [{ kind: "message", node: this.nodes.at(entry[0]), inContext: entry[1] }];
    const record = this.records.get(entry);
    return record ? [{ kind: "compaction", record }] : [];
  }

  /** A message was added at the tip. `begins`: with it a record holds that ended where it stands now. */
  appended(node: Node<M>, begins: boolean): void {
    if (this.#path) this.#later.push(node);
    this.#bodies?.push(node.message);
    if (begins) this.#forgetTimeline();
    else if (this.#timeline) this.#laterInTimeline.push(node);
  }

  /** The newest message of the path is another now. */
  replaced(node: Node<M>): void {
    const { id } = node;
    const path = this.#path && this.path();
    if (path?.at(-1)?.id !== id) return this.changed();
    this.#path = [...path.slice(0, -1), node];
    if (this.#bodies) this.#bodies[path.length - 1] = node.message;
    const timeline = this.#timeline && this.timeline();
    const last = timeline?.at(-1);
    if (last?.kind === "message" && last.node.id === id) this.#timeline = [...timeline!.slice(0, -1), { ...last, node }];
    else this.#forgetTimeline();
  }

  /** What was laid over the path is another now. */
  laid(): void {
    this.#forgetTimeline();
  }

  /** Anything may have changed. */
  changed(): void {
    this.#path = undefined;
    this.#bodies = undefined;
    this.#later = [];
    this.#forgetTimeline();
  }

  #forgetTimeline(): void {
    this.#timeline = undefined;
    this.#laterInTimeline = [];
  }
}
