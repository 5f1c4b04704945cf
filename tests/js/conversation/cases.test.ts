/** Cases that are steps on a conversation: `tests/cases/README.md`, op "tree". */
import { describe, expect, test } from "vitest";
import * as api from "../../../pkg/entry/node.js";
import { importSession } from "../../../pkg/sessions.js";
import { memoryStore } from "../../../pkg/stores/memory.js";
import type { NodeId } from "../../../pkg/stores/store.js";
import { treeCases } from "../support/calls.js";

class Steps {
  readonly store = memoryStore();
  readonly ids: NodeId[] = [];
  #talk!: api.Conversation;

  constructor(readonly options: object) {}

  async open(load?: object): Promise<api.Conversation> {
    this.#talk = await api.Conversation.open({ store: this.store, id: "case", model: "gpt-4o", ...this.options, ...load });
    return this.#talk;
  }

  get talk(): api.Conversation {
    return this.#talk;
  }

  async take([step, ...args]: [string, ...any[]]): Promise<void> {
    switch (step) {
      case "append":
        return void this.ids.push(this.#talk.append(args[0]));
      case "edit":
        return void this.ids.push(this.#talk.edit(this.ids[args[0]]!, args[1]));
      case "branch":
        return this.#talk.branch(this.ids[args[0]]!);
      case "checkpoint":
        return this.#talk.checkpoint(args[0]);
      case "rewind":
        return void this.#talk.rewind(args[0]);
      case "commit":
        return this.#talk.commit();
      case "record":
        return this.record(args as [string, number, number, string]);
      case "truncate-to-last":
        await this.#talk.commit();
        return void (await this.open({ load: { messages: args[0] } }));
      default:
        throw new Error(`no such step: ${step}`);
    }
  }

  /** As another writer would have left it. */
  async record([rung, from, to, words]: [string, number, number, string]): Promise<void> {
    const { conversations: [exported] } = await importSession(this.#talk.export("json"));
    const summary = { decisions: [], questions: [], actions: [], context: [], references: [], markdown: words, generation: 1 };
    exported!.records.push({ id: "laid", rung: rung as "summary", from: this.ids[from]!, to: this.ids[to]!, summary, before: 100, after: 10, model: "gpt-4o" });
    this.#talk = await api.Conversation.from(exported!, { store: this.store, model: "gpt-4o", ...this.options });
  }
}

const expectations: Record<string, (steps: Steps, wanted: any) => void | Promise<void>> = {
  roots: ({ talk }, wanted) => expect(talk.children(null)).toHaveLength(wanted),
  nodes: ({ talk }, wanted) => expect(talk.tree()).toHaveLength(wanted),
  path: ({ talk }, wanted) => expect(talk.messages().map(({ message }) => message.content)).toEqual(wanted),
  async requestTexts({ talk }, wanted) {
    const { body } = await talk.request();
    expect(body.messages.map(({ content }: any) => content)).toEqual(wanted);
  },
  async lacks({ talk }, wanted: string[]) {
    for (const words of wanted) expect(JSON.stringify((await talk.request()).body)).not.toContain(words);
  },
  async storedNodes({ store }, wanted) {
    expect((await store.load("case", "main"))?.nodes.length ?? 0).toBe(wanted);
  },
};

describe.each(treeCases.map((each) => [each.id, each]))("case %s", (_, { what, format, options, input, expect: { error: name, ...wanted } }) => {
  test(what, async () => {
    const steps = new Steps({ format, ...options });
    await steps.open();
    let error: any;
    for (const step of input.steps) {
      error = await steps.take(step).then(() => undefined, (thrown) => thrown);
      if (error) break;
    }
    if (name === undefined) expect(error).toBeUndefined();
    else expect(error).toBeInstanceOf(api[name as "OpenTurnError"]);
    expect(Object.keys(wanted).filter((key) => !(key in expectations))).toEqual([]);
    for (const [key, value] of Object.entries(wanted)) await expectations[key]!(steps, value);
  });
});
