/** What a screen is told of a conversation, as React's useSyncExternalStore asks for it. */
import { expect, test } from "vitest";
import type { Conversation } from "../../../pkg/entry/node.js";
import { memoryStore } from "../../../pkg/stores/memory.js";
import { chatHistory } from "../support/history.js";
import { assistant, calling, chat, result, texts, until, user } from "./talk.js";

/** A component with one snapshot: it draws anew when it is told and the snapshot is another by `Object.is`, and checks what React checks. */
class Component<T> {
  drawn: T;
  draws = 0;
  readonly #unsubscribe: () => void;

  constructor(
    readonly subscribe: (listener: () => void) => () => void,
    readonly getSnapshot: () => T,
  ) {
    this.drawn = this.#draw();
    this.#unsubscribe = subscribe(() => this.#look());
    // What changed between drawing and subscribing.
    this.#look();
  }

  #look(): void {
    if (!Object.is(this.drawn, this.getSnapshot())) this.drawn = this.#draw();
  }

  #draw(): T {
    this.draws++;
    const snapshot = this.getSnapshot();
    // "The result of getSnapshot should be cached to avoid an infinite loop."
    if (!Object.is(snapshot, this.getSnapshot())) throw new Error("a snapshot is another each time");
    return snapshot;
  }

  unmount(): void {
    this.#unsubscribe();
  }
}

/** Bare functions, as a hook is given them. */
function mounted(talk: Conversation) {
  const { subscribe, messages, timeline } = talk;
  return { messages: new Component(subscribe, messages), timeline: new Component(subscribe, timeline) };
}

interface Change {
  what: string;
  /** Whether another path is to be drawn. */
  draws: boolean;
  before?(talk: Conversation): unknown;
  change(talk: Conversation): unknown;
}

const draft = (words: string) => (talk: Conversation) => talk.append(assistant(words));

/** Each does one thing to a conversation of a few exchanges. */
const changes: Change[] = [
  { what: "a message", draws: true, change: (talk) => talk.append(user("more")) },
  { what: "several", draws: true, change: (talk) => talk.append([assistant("yes"), user("go on")]) },
  { what: "a draft that begins", draws: true, change: draft("") },
  { what: "a draft that grows", draws: true, before: draft("so"), change: (talk) => talk.update(talk.tip!, assistant("so far")) },
  { what: "a draft that goes on growing", draws: true, before: (talk) => talk.update(draft("so")(talk), assistant("so far")), change: (talk) => talk.update(talk.tip!, assistant("so far, so good")) },
  { what: "a reply", draws: true, change: (talk) => talk.appendReply({ choices: [{ index: 0, message: assistant("a reply") }] }) },
  { what: "a call and its result", draws: true, change: (talk) => talk.append([calling("c"), result("c")]) },
  { what: "a message elsewhere", draws: true, change: (talk) => talk.append(user("elsewhere"), { parent: talk.messages()[3]!.id }) },
  { what: "a branch", draws: true, change: (talk) => talk.branch(talk.messages()[2]!.id) },
  { what: "before the first", draws: true, change: (talk) => talk.branch(null) },
  { what: "the newest leaf", draws: true, before: (talk) => talk.branch(null), change: (talk) => talk.select(talk.children(null)[0]!) },
  { what: "an edit", draws: true, change: (talk) => talk.edit(talk.messages()[3]!.id, user("edited")) },
  { what: "a history handed over", draws: true, change: (talk) => talk.sync([...talk.messages().slice(0, 2).map(({ message }) => message), user("mine")]) },
  { what: "a history handed over that is a part", draws: true, change: (talk) => talk.sync(talk.messages().slice(0, 2).map(({ message }) => message)) },
  { what: "a history handed over that is known", draws: false, change: (talk) => talk.sync(talk.messages().map(({ message }) => message)) },
  { what: "a label", draws: false, change: (talk) => talk.checkpoint("here") },
  { what: "a rewind", draws: true, before: (talk) => (talk.checkpoint("here"), talk.append(user("on"))), change: (talk) => talk.rewind("here") },
  { what: "a rewind with what was learnt", draws: true, before: (talk) => talk.checkpoint("here"), change: (talk) => talk.rewind("here", { synthesis: "no use" }) },
  { what: "a failed turn again", draws: true, before: (talk) => talk.append(calling("lost")), change: (talk) => talk.retry() },
  { what: "a title", draws: false, change: (talk) => (talk.meta = { title: "Titled" }) },
  { what: "a commit", draws: false, change: (talk) => talk.commit() },
  { what: "a setting", draws: false, change: (talk) => talk.configure({ threshold: 0.7 }) },
];

test.each(changes)("$what reaches every screen, and nothing is drawn for nothing", async ({ draws, before, change }) => {
  const talk = await chat({ model: { id: "mine", window: 100_000 } });
  talk.append(chatHistory(4).messages);
  talk.append(user("asked"));
  await before?.(talk);
  const shown = mounted(talk);
  const drawn = [shown.messages.drawn, shown.timeline.drawn];
  const copies = drawn.map((list) => [...list]);
  await change(talk);
  const anew = mounted(talk);
  expect(shown.messages.drawn).toBe(anew.messages.drawn);
  expect(shown.timeline.drawn).toBe(anew.timeline.drawn);
  expect(shown.messages.drawn !== drawn[0]).toBe(draws);
  expect(shown.timeline.drawn !== drawn[1]).toBe(draws);
  // What was drawn before is as it was: it may still be shown.
  drawn.forEach((list, index) => list.forEach((entry, at) => expect(entry).toBe(copies[index]![at])));
  expect(drawn.map(({ length }) => length)).toEqual(copies.map(({ length }) => length));
});

test("what a request laid reaches the timeline and leaves the path; taken off again the same", async () => {
  const talk = await chat();
  talk.append(chatHistory(40).messages);
  const shown = mounted(talk);
  const { report } = await talk.request();
  expect([shown.messages.draws, shown.timeline.draws]).toEqual([1, 2]);
  expect(shown.timeline.drawn.filter(({ kind }) => kind === "compaction")).toHaveLength(report.records.length);
  await talk.request();
  await talk.measure();
  expect([shown.messages.draws, shown.timeline.draws]).toEqual([1, 2]);
  talk.uncompact(report.records[0]!.id);
  expect(shown.timeline.drawn.filter(({ kind }) => kind === "compaction")).toHaveLength(report.records.length - 1);
});

test("what another writer committed reaches every screen, also what follows the tip; and one that is unmounted hears no more", async () => {
  const store = memoryStore();
  const [one, two] = [await chat({ store }), await chat({ store })];
  one.append(user("question"));
  await one.commit();
  await until(() => two.tree().length === 1);
  let told = 0;
  const end = two.subscribe(() => told++);
  two.select(two.children(null)[0]!);
  const shown = mounted(two);
  const answer = one.append(assistant("answer"));
  await one.commit();
  await until(() => two.get(answer) !== undefined);
  expect(told).toBe(2);
  expect(shown.messages.drawn).toBe(two.messages());
  two.select(answer);
  expect(shown.messages.drawn.map(({ message }) => message.content)).toEqual(["question", "answer"]);
  expect(shown.timeline.drawn).toBe(two.timeline());
  shown.messages.unmount();
  shown.timeline.unmount();
  end();
  const { draws } = shown.messages;
  two.append(user("more"));
  expect([shown.messages.draws, told]).toEqual([draws, 3]);
});

test("a closed conversation still shows what it showed, the same each time", async () => {
  const talk = await chat();
  talk.append([user("a"), assistant("b")]);
  talk.append(calling("open"));
  const shown = mounted(talk);
  await talk.close();
  const anew = mounted(talk);
  expect(texts(talk)).toEqual(["a", "b"]);
  expect(talk.tip).toBe(talk.messages().at(-1)!.id);
  expect([shown.messages.drawn, shown.timeline.drawn]).toEqual([anew.messages.drawn, anew.timeline.drawn]);
  expect(shown.messages.drawn).toBe(anew.messages.drawn);
  expect(shown.timeline.drawn).toBe(anew.timeline.drawn);
});

test("one that listens twice is told twice, and ends each by itself; one that ends itself while it is told harms nobody", async () => {
  const talk = await chat();
  const heard: string[] = [];
  const listener = (): void => void heard.push("same");
  const ends = [talk.subscribe(listener), talk.subscribe(listener)];
  const end = talk.subscribe(() => (heard.push("once"), end()));
  talk.subscribe(() => heard.push("last"));
  talk.append(user("a"));
  expect(heard).toEqual(["same", "same", "once", "last"]);
  ends[0]!();
  ends[0]!();
  heard.length = 0;
  talk.append(user("b"));
  expect(heard).toEqual(["same", "last"]);
});

test.each(["conversation", "store"])("who is unmounted by another while both are told hears no more: of a %s", async (what) => {
  const store = memoryStore();
  const talk = await chat({ store });
  const { subscribe } = what === "store" ? store : talk;
  const heard: string[] = [];
  let end = (): void => {};
  subscribe!(() => (heard.push("first"), end()));
  end = subscribe!(() => void heard.push("second"));
  talk.append(user("a"));
  await talk.commit();
  await until(() => heard.length > 0);
  expect(heard).toEqual(["first"]);
});

test("a history that is taken over, and a rewind that keeps what was learnt, are told of once, when they are done", async () => {
  const talk = await chat();
  const shown: unknown[][] = [];
  talk.append([user("a"), assistant("b"), user("c"), assistant("d")]);
  talk.branch(talk.messages()[1]!.id);
  talk.checkpoint("fork");
  talk.select(talk.tip!);
  talk.subscribe(() => shown.push(texts(talk)));
  talk.sync([user("a"), assistant("b"), user("edited"), assistant("e")]);
  talk.sync([user("a"), assistant("b")]);
  talk.select(talk.messages()[0]!.id);
  talk.rewind("fork", { synthesis: "learnt" });
  talk.rewind("fork");
  expect(shown).toEqual([["a", "b", "edited", "e"], ["a", "b"], ["a", "b", "edited", "e"], ["a", "b", "learnt"], ["a", "b"]]);
});

test("a record that ends at the tip shows once something follows", async () => {
  const talk = await chat();
  talk.append(Array.from({ length: 30 }, (_, n) => (n % 2 ? assistant : user)(`${n} ${"word ".repeat(100)}`)));
  await talk.compact({ force: true, rungs: ["window"] });
  const marks = (): string[] => talk.timeline().flatMap((entry) => (entry.kind === "compaction" ? [entry.record.id] : []));
  const [mark] = marks();
  const { record } = talk.timeline().find((entry) => entry.kind === "compaction") as { record: { to: string } };
  talk.branch(record.to);
  expect(marks()).toEqual([]);
  talk.append(assistant("another way"));
  expect(marks()).toEqual([mark]);
});
