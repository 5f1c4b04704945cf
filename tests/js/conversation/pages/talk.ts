/** Conversations over IndexedDB in a page: what the tests of crashes, of two tabs and of a full disk ask of it. */
import { check, Conversation, QuotaError } from "../../../../pkg/entry/web.js";
import { indexedDBStore } from "../../../../pkg/stores/indexeddb.js";
import { type Found, foundIn, hearing, heardAll, takeTurns, turnsIn } from "../turns.mjs";

const store = indexedDBStore("talks");
const open = (id: string, window = 4_000): Promise<Conversation> => Conversation.open({ store, id, format: "openai-chat", model: { id: "mine", window } });

let talk: Conversation;

/** Opens what an earlier page left, and says what it is. */
async function found(id: string): Promise<Found> {
  talk = await open(id);
  return foundIn(talk, "one", check);
}

/** Goes on with what was opened; `made` is told of each turn. */
async function goOn(turns: number): Promise<void> {
  await takeTurns(talk, "one", turns, (turn) => (globalThis as any).made(turn));
}

/** Opens what two tabs will share. The message both go on from, there once for both. */
async function share(id: string): Promise<string> {
  talk = await open(id);
  if (talk.tip !== null) return talk.tip;
  const root = talk.append({ role: "user", content: "What do you both say?" });
  await talk.commit();
  return root;
}

/** One of two tabs: writes its own turns and stays until it has heard of all of the other's. */
async function along(who: string, other: string, from: string, turns: number): Promise<object> {
  const heard = hearing(talk, other, from);
  await takeTurns(talk, who, turns, () => {}, from);
  await heardAll(heard, turns);
  return { ...heard, tip: talk.tip, path: talk.messages().length };
}

/** What a page sees that did not write, or that wrote. `anew`: from the store. */
async function seen(anew: string | undefined, root: string, turns: number, tips: string[]): Promise<object> {
  const shown = anew === undefined ? talk : await open(anew);
  const whole = (["one", "two"] as const).map((who) => turnsIn(shown, who));
  return { whole, all: shown.tree().length, answers: shown.children(root).length, after: tips.flatMap((tip) => shown.children(tip)), tip: shown.tip, turns };
}

const said = (shown: Conversation): string => JSON.stringify(shown.messages());
const exchange = (turn: number): object[] => [
  { role: "user", content: `${turn} ${noise(30_000)}` },
  { role: "assistant", content: `${turn} ${noise(20_000)}` },
];

/** Commits until there is no room; what is there then. */
async function fill(): Promise<object> {
  const ballast = await open("ballast");
  ballast.append({ role: "user", content: noise(600_000) });
  await ballast.commit();
  await ballast.close();
  talk = await open("filled", 20_000_000);
  let whole = 0;
  let before = said(talk);
  let error: any;
  for (; !error && whole < 400; whole++) {
    talk.append(exchange(whole) as any[]);
    await talk.commit().catch((refused: unknown) => (error = refused));
    if (error) break;
    before = said(talk);
  }
  const again = await open("filled", 20_000_000);
  const refusedAgain = await talk.commit().then(() => "", (refused: any) => refused.code);
  return {
    quota: error instanceof QuotaError && error.code,
    refusedAgain,
    whole,
    inMemory: talk.messages().length,
    same: said(again) === before,
    ...(await foundIn(again, "nobody", check)),
    unsaved: (await foundIn(talk, "nobody", check)).faults,
  };
}

/** After that: room is made, and the very conversation goes on. */
async function room(): Promise<object> {
  await store.remove("ballast");
  let tries = 1;
  // The browser counts anew what is used after a moment.
  for (; ; tries++) {
    const refused = await talk.commit().then(() => undefined, (error: any) => error);
    if (refused === undefined) break;
    if (refused.code !== "quota" || tries === 100) throw refused;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  talk.append([{ role: "user", content: "And now?" }, { role: "assistant", content: "There is room." }]);
  await talk.commit();
  const again = await open("filled", 20_000_000);
  const stored = (await store.load("filled", "main"))!;
  return { tries, messages: again.messages().length, same: said(again) === said(talk), rows: stored.nodes.length, ...(await foundIn(again, "nobody", check)) };
}

/** How many messages another page finds, and what is wrong with them. */
async function lookAt(id: string): Promise<object> {
  const shown = await open(id, 20_000_000);
  return { messages: shown.messages().length, ...(await foundIn(shown, "nobody", check)) };
}

/** Text that cannot be packed: letters of one byte, at random, in words. */
function noise(length: number): string {
  const parts: string[] = [];
  for (let at = 0; at < length; at += 30_000) parts.push(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(Math.min(30_000, length - at))).map((byte) => 33 + (byte % 90))));
  return parts.join("");
}

Object.assign(globalThis, { run: { found, goOn, share, along, seen, fill, room, lookAt } });
document.querySelector("pre")!.textContent = "ready";
