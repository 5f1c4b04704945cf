/** What a screen shows of a conversation. The same array until something changes; a message more costs a copy of the list and no more. */
import type { CompactionRecord } from "../types.js";
import type { Node } from "../stores/store.js";
import type { Nodes } from "./nodes.js";
import type { Records } from "./records.js";

export type TimelineEntry<M = any> = { kind: "message"; node: Node<M>; inContext: boolean } | { kind: "compaction"; record: CompactionRecord };

export class Views<M> {
  /** The nodes of the path, and their messages, for requests. Both grow in place; what is shown is a copy. */
  #line: Node<M>[] | undefined;
  #bodies: M[] | undefined;
  #path: Node<M>[] | undefined;
  #timeline: TimelineEntry<M>[] | undefined;
  /** Messages that came after what the timeline shows, in order. */
  #later: Node<M>[] = [];

  constructor(
    readonly call: <T>(op: string) => T,
    readonly nodes: Nodes<M>,
    readonly records: Records,
  ) {}

  path(): Node<M>[] {
    return (this.#path ??= this.line().slice());
  }

  /** The path as it grows: messages added later stand behind those that are there now. */
  line(): readonly Node<M>[] {
    return (this.#line ??= this.call<number[]>("path").map((number) => this.nodes.at(number)));
  }

  /** Gives the messages of the path as it is now, whenever it is called and each time as a list of the caller's own. */
  bodies(): () => M[] {
    const bodies = (this.#bodies ??= this.line().map(({ message }) => message));
    const count = bodies.length;
    const last = bodies[count - 1];
    return () => {
      const list = bodies.slice(0, count);
      // The only one that may be another by then.
      if (count > 0) list[count - 1] = last!;
      return list;
    };
  }

  timeline(): TimelineEntry<M>[] {
    if (!this.#timeline) {
      const entries = this.call<([number, boolean] | string)[]>("timeline");
      this.#timeline = entries.flatMap((entry) => this.#entry(entry));
    } else if (this.#later.length > 0) {
      this.#timeline = this.#timeline.concat(this.#later.map((node) => ({ kind: "message", node, inContext: true })));
    }
    this.#later = [];
    return this.#timeline;
  }

  #entry(entry: [number, boolean] | string): TimelineEntry<M>[] {
    if (typeof entry !== "string") return [{ kind: "message", node: this.nodes.at(entry[0]), inContext: entry[1] }];
    const record = this.records.get(entry);
    return record ? [{ kind: "compaction", record }] : [];
  }

  /** A message was added at the tip. `begins`: with it a record holds that ended where it stands now. */
  appended(node: Node<M>, begins: boolean): void {
    this.#line?.push(node);
    this.#bodies?.push(node.message);
    this.#path = undefined;
    if (begins) this.#forgetTimeline();
    else if (this.#timeline) this.#later.push(node);
  }

  /** The newest message of the path is another now. */
  replaced(node: Node<M>): void {
    const { id } = node;
    const line = this.#line;
    if (line?.at(-1)?.id !== id) return this.changed();
    line[line.length - 1] = node;
    if (this.#bodies) this.#bodies[line.length - 1] = node.message;
    this.#path = undefined;
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
    this.#line = undefined;
    this.#bodies = undefined;
    this.#path = undefined;
    this.#forgetTimeline();
  }

  #forgetTimeline(): void {
    this.#timeline = undefined;
    this.#later = [];
  }
}
