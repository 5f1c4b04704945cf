/** A conversation of turns that can be told from what is stored: what the tests of crashes write. */
import { incoming, outgoing } from "../../../../pkg/stores/blobs.js";
import type { Node, Store } from "../../../../pkg/stores/store.js";
import { picture, url } from "../suite/blobs.js";
import { chain, change, commitUnited, faultsOf } from "./talk.js";

/** Turns of a whole conversation. */
export const TURNS = 200;

const question = (turn: number): string => `question ${turn} ${"?".repeat((turn * 37) % 900)}`;
const answer = (turn: number): string => `answer ${turn} ${"!".repeat((turn * 91) % 4_000)}`;

/** Goes on where what is stored ends, a commit a turn, up to `turns`; `done` is told of each that was made, before the next begins. */
export async function talkOn(store: Store, id: string, turns: number, done: (turn: number) => unknown): Promise<void> {
  const stored = await store.load(id, "main");
  let revision = stored?.revision ?? 0;
  let tip = stored?.tip ?? null;
  for (let turn = revision + 1; turn <= turns; turn++) {
    const nodes = chain(tip, question(turn), answer(turn));
    // A picture now and then, so that a commit is more than rows of text; every second is one that was there before.
    if (turn % 10 === 0) nodes[0]!.message.image = url(picture(40_000, Math.ceil(turn / 20)));
    tip = nodes[1]!.id;
    revision = await store.commit(id, "main", revision, await outgoing(store, change(nodes, { meta: { turn } })));
    await done(turn);
  }
}

/** What is wrong with what is stored, and how many turns it is; it must be whole to the last word. */
export async function turnsIn(store: Store, id: string): Promise<{ turn: number; faults: string[] }> {
  const loaded = await store.load(id, "main");
  if (!loaded) return { turn: 0, faults: [] };
  const stored = await incoming(store, loaded);
  const turn = stored.meta.turn as number;
  const faults = faultsOf(stored.nodes);
  if (stored.revision !== turn) faults.push(`revision ${stored.revision} of turn ${turn}`);
  if (stored.nodes.length !== 2 * turn) faults.push(`${stored.nodes.length} messages in ${turn} turns`);
  if (stored.tip !== (stored.nodes.at(-1)?.id ?? null)) faults.push("the tip is elsewhere");
  for (let at = 1; at <= turn; at++) {
    const [first, second] = stored.nodes.slice(2 * at - 2, 2 * at).map(({ message }: Node) => message);
    if (first?.content !== question(at) || second?.content !== answer(at)) faults.push(`turn ${at} reads otherwise`);
    if (at % 10 === 0 && first?.image !== url(picture(40_000, Math.ceil(at / 20)))) faults.push(`the picture of turn ${at} is another`);
  }
  return { turn, faults };
}

/** One of several writers on one conversation, each on a branch of its own: `count` commits, uniting where others came first. */
export async function writeAlong(store: Store, id: string, who: string, count: number): Promise<number> {
  let parent: string | null = null;
  let conflicts = 0;
  let known = await store.load(id, "main");
  for (let turn = 0; turn < count; turn++) {
    const nodes = chain(parent, `${who} asks ${turn}`, `${who} hears ${turn}`);
    parent = nodes[1]!.id;
    // From what was loaded last: as stale as a tab's is.
    conflicts += (await commitUnited(store, id, "main", nodes, known)).conflicts;
    if (turn % 10 === 0) known = await store.load(id, "main");
  }
  return conflicts;
}

/** What is missing of what several writers wrote. */
export async function missingOf(store: Store, id: string, writers: string[], count: number): Promise<string[]> {
  const stored = await store.load(id, "main");
  const words = new Set(stored?.nodes.map(({ message }) => message.content));
  const expected = writers.flatMap((who) => Array.from({ length: count }, (_, turn) => [`${who} asks ${turn}`, `${who} hears ${turn}`]).flat());
  const missing = expected.filter((each) => !words.has(each));
  if (stored?.nodes.length !== expected.length) missing.push(`${stored?.nodes.length} nodes instead of ${expected.length}`);
  if (stored?.revision !== writers.length * count) missing.push(`revision ${stored?.revision}`);
  return [...missing, ...faultsOf(stored?.nodes ?? [])];
}
