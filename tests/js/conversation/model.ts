/** A conversation as plain lists: what `Conversation` must agree with. */

export interface Plain {
  id: string;
  parent: string | null;
  message: any;
}

export class Model {
  readonly nodes = new Map<string, Plain>();
  tip: string | null = null;
  readonly labels = new Map<string, string>();

  add(id: string, parent: string | null, message: any): void {
    this.nodes.set(id, { id, parent, message });
    this.tip = id;
  }

  path(at: string | null = this.tip): Plain[] {
    const path: Plain[] = [];
    for (let node = at === null ? undefined : this.nodes.get(at); node; node = node.parent === null ? undefined : this.nodes.get(node.parent)) path.push(node);
    return path.reverse();
  }

  children(at: string | null): string[] {
    return [...this.nodes.values()].filter(({ parent }) => parent === at).map(({ id }) => id);
  }

  newestBelow(at: string): string {
    const below = [...this.nodes.keys()].filter((id) => this.path(id).some((node) => node.id === at));
    return below.at(-1)!;
  }

  /** A label used again moves to the end. */
  label(name: string): void {
    this.labels.delete(name);
    this.labels.set(name, this.tip!);
  }

  /** Ids of calls on the path that have no result. Ids repeat: a result answers the first such call of the newest turn, else the last one before. */
  open(): string[] {
    let open: { id: string; newest: boolean }[] = [];
    let before = "";
    for (const { message } of this.path()) {
      const { role, tool_calls: calls = [], tool_call_id: answers } = message;
      if (role === "assistant" && before !== role) open.forEach((call) => (call.newest = false));
      if (role === "assistant") open.push(...calls.map(({ id }: any) => ({ id, newest: true })));
      if (role === "tool") {
        const answered = open.find(({ id, newest }) => newest && id === answers) ?? open.findLast(({ id }) => id === answers);
        open = open.filter((call) => call !== answered);
      }
      before = role;
    }
    return open.map(({ id }) => id);
  }

  /** The newest now. */
  renew(id: string): void {
    const node = this.nodes.get(id)!;
    this.nodes.delete(id);
    this.nodes.set(id, node);
  }

  forget(id: string): void {
    this.nodes.delete(id);
    for (const [label, at] of this.labels) if (at === id) this.labels.delete(label);
  }
}
