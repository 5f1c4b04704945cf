/** A Durable Object that holds conversations, and does with them what the tests ask for. */
import { check, Conversation } from "../../../../pkg/entry/workerd.js";
import { type DurableStorage, durableObjectStore } from "../../../../pkg/stores/durable-object.js";
import type { Store } from "../../../../pkg/stores/store.js";
import { foundIn, hearing, heardAll, takeTurns, turnsIn } from "../turns.mjs";

interface State {
  storage: DurableStorage;
  abort(reason: string): void;
}

interface Env {
  OBJECTS: { idFromName(name: string): unknown; get(id: unknown): { fetch(url: string, init?: object): Promise<Response> } };
}

const user = (content: string): any => ({ role: "user", content });
const assistant = (content: string): any => ({ role: "assistant", content });
/** Others have a turn, as while a model is asked. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

export class Talks {
  /** Tells one object in memory from the next. */
  readonly born = crypto.randomUUID();
  /** The last turn that was committed here. */
  made = 0;

  constructor(readonly state: State) {}

  open(id = "talk", store: Store = durableObjectStore(this.state.storage)): Promise<Conversation> {
    // A store for each, as for each request of an app.
    return Conversation.open({ store, id, format: "openai-chat", model: { id: "mine", window: 4_000 } });
  }

  /** SQLite lets nobody else have a turn. With this the object can be ended before any commit. */
  pausing(): Store {
    const store = durableObjectStore(this.state.storage);
    return { ...store, commit: (...args) => pause().then(() => store.commit(...args)) };
  }

  readonly does: Record<string, (...args: any[]) => Promise<unknown>> = {
    /** Goes on up to so many turns. */
    turns: async (turns: number) => {
      const talk = await this.open("talk", this.pausing());
      await takeTurns(talk, "one", turns, (turn) => (this.made = turn));
      const { body } = await talk.request();
      await talk.close();
      return { messages: talk.messages(), timeline: talk.timeline().length, body };
    },
    found: async () => {
      const talk = await this.open();
      const found = await foundIn(talk, "one", check);
      return { ...found, messages: talk.messages(), timeline: talk.timeline().length, body: talk.tip && (await talk.request()).body };
    },
    made: async () => this.made,
    /** Ends this object in the middle of whatever it does; the next request finds another. */
    abort: async () => this.state.abort("ended"),

    /** A tree with all that may be in one. */
    grow: async () => {
      const talk = await this.open("tree");
      const first = talk.append([user("question"), assistant("answer")]);
      talk.checkpoint("answered");
      talk.append([user("more"), assistant("of it")]);
      await talk.commit();
      talk.edit(talk.messages()[2]!.id, user("something else"));
      talk.append(assistant("that"));
      await talk.commit();
      const learnt = talk.rewind("answered", { synthesis: "neither was right" });
      talk.meta.title = "Grown";
      await talk.commit();
      const copy = await talk.duplicate({ id: "copy", at: first });
      copy.append(user("only in the copy"));
      await copy.close();
      await talk.close();
      return { first, learnt };
    },
    grown: async () => {
      const store = durableObjectStore(this.state.storage);
      const [talk, copy] = [await this.open("tree"), await this.open("copy")];
      const said = (shown: Conversation): unknown[] => shown.messages().map(({ message }) => message.content);
      const at = talk.checkpoints()[0]!.at;
      const branches = talk.children(at).map((id) => (talk.select(id), said(talk).slice(2)));
      talk.rewind("answered");
      talk.append(user("again"));
      await talk.commit();
      return {
        branches,
        title: talk.meta.title,
        copied: said(copy),
        shared: copy.messages().filter(({ id }) => talk.get(id)).length,
        violations: await check((await talk.request()).body, { format: "openai-chat" }),
        now: said(await this.open("tree")),
        listed: (await store.list()).map(({ id, messages }) => [id, messages]),
        again: await talk.duplicate({ id: "copy" }).catch((error) => error.code),
      };
    },

    /** One of two requests that write at once. */
    along: async (who: string, other: string, turns: number) => {
      const talk = await this.open("shared");
      const [from] = talk.children(null);
      const heard = hearing(talk, other, from);
      await takeTurns(talk, who, turns, pause, from);
      await heardAll(heard, turns);
      const { tip } = talk;
      const path = talk.messages().length;
      await talk.close();
      return { ...heard, tip, path };
    },
    share: async () => {
      const talk = await this.open("shared");
      talk.append(user("What do you both say?"));
      await talk.close();
    },
    shared: async () => {
      const talk = await this.open("shared");
      return { whole: ["one", "two"].map((who) => turnsIn(talk, who)), all: talk.tree().length, answers: talk.children(talk.children(null)[0]!).length, tip: talk.tip };
    },
  };

  async fetch(request: Request): Promise<Response> {
    const [what, ...args] = (await request.json()) as [string, ...unknown[]];
    try {
      return Response.json({ born: this.born, told: (await this.does[what]!(...args)) ?? null });
    } catch (error) {
      return Response.json({ born: this.born, failed: `${String(error)}\n${(error as Error).stack}` });
    }
  }
}

export default {
  async fetch(request: Request, { OBJECTS }: Env): Promise<Response> {
    const name = new URL(request.url).pathname;
    try {
      return await OBJECTS.get(OBJECTS.idFromName(name)).fetch(request.url, { method: "POST", body: await request.text() });
    } catch (error) {
      return Response.json({ ended: String(error) });
    }
  },
};
