/** How a conversation comes into memory: new, from a store, a part of one, from a file, as a copy. */
import { CorruptStoreError, OptionError, UnsupportedFormatError } from "../errors.js";
import { isObject } from "../json.js";
import { init } from "../load.js";
import { modelSaid } from "../models.js";
import { incoming } from "../stores/blobs.js";
import { headFaults } from "../stores/change.js";
import { plain } from "../stores/plain.js";
import type { Head, Node, NodeId, Store, Stored } from "../stores/store.js";
import { loaded } from "../stores/stored.js";
import type { CompactOptions, Format } from "../types.js";
import type { Exported } from "./exported.js";
import { optionsIn, strange } from "./given.js";
import { newId } from "./ids.js";
import type { Row } from "./persist.js";
import { renamed } from "./records.js";
import { type HeadTold, State } from "./state.js";

/** How much of a long path is taken into memory. */
export interface Load {
  messages?: number;
  tokens?: number;
}

export type OpenOptions = CompactOptions & { store: Store; id: string; agent?: string; format?: Format; load?: Load };

/** Whose history it is where no agent is named. */
export const AGENT = "main";

/** Nodes that are read first where only tokens are limited. */
const FIRST = 64;

export interface Restored {
  faults: string[];
  reattached: number;
  damaged: string | null;
  /** In the order of the tree. Alone, a number stands for a message that bears the id and follows what was given. */
  nodes: (number | Row)[];
  /** What stands of the head. */
  head: HeadTold;
}

export async function open<M extends object>({ store, id, agent = AGENT, format, load, ...options }: OpenOptions): Promise<State<M>> {
  checkNamed(store, id, agent);
  await init();
  if (load !== undefined) {
    checkLoad(load);
    const state = await openPart<M>({ store, id, agent, format, load }, options);
    if (state) return state;
  }
  const stored = load === undefined ? await loaded(store, id, agent) : undefined;
  if (!stored) {
    if (format === undefined) throw new OptionError("A new conversation needs a `format`: nothing is stored under this name.");
    const state = new State<M>({ store, id, agent, format }, options);
    state.saved = state.headText();
    return state;
  }
  checkFormat(stored, format);
  const state = new State<M>({ store, id, agent, format: stored.format }, options);
  return freed(state, async () => {
    const whole = await incoming(store, stored);
    try {
      restore(state, whole.nodes, whole, "store");
    } catch (error) {
      throw damage(error, whole);
    }
  });
}

/** A store of the caller's may hold what no message of the format is. */
function damage(error: unknown, saved?: Stored): unknown {
  if (!(error instanceof OptionError || error instanceof UnsupportedFormatError)) return error;
  const rest = saved ? "" : " Open it without `load`: what can be saved comes with that error.";
  return new CorruptStoreError(`What is stored of this conversation is damaged. ${error.message}${rest}`, saved, { cause: error });
}

/** The newest part of the path. More and more of it is read, until there is a place to cut. Nothing when nothing is stored. */
async function openPart<M extends object>(
  { store, id, agent, format, load }: { store: Store; id: string; agent: string; format: Format | undefined; load: Load },
  options: CompactOptions,
): Promise<State<M> | undefined> {
  const first = await loaded(store, id, agent, { path: Math.max(1, load.messages ?? FIRST) });
  if (!first) return undefined;
  checkFormat(first, format);
  const state = new State<M>({ store, id, agent, format: first.format }, options);
  return freed(state, async () => {
    const numbers = new Map<NodeId, number>();
    let stored: Stored = first;
    for (let most = Math.max(1, load.messages ?? FIRST); ; ) {
      const path = pathOf(stored);
      const fresh = (await incoming(store, { ...stored, nodes: path.filter((node) => !numbers.has(node.id)) })).nodes;
      const whole = new Map(fresh.map((node) => [node.id, node as Node<M>]));
      for (const node of [...fresh].reverse()) {
        const number = crossed(state, node);
        numbers.set(node.id, number);
        state.nodes.set(number, whole.get(node.id)!);
      }
      const ended = path.length === 0 || path[0]!.parent === null || path.length < most;
      const messages = [...path].reverse().map((node) => numbers.get(node.id));
      const asked = { messages, most: load.messages, tokens: load.tokens, model: modelSaid(options.model) };
      const { wants, keep } = state.call<{ wants: boolean; keep: number }>("resume", asked);
      if (!wants || ended) {
        const kept = path.slice(path.length - keep);
        for (const node of path.slice(0, path.length - keep)) state.nodes.remove(numbers.get(node.id)!);
        restorePart(state, kept, stored);
        return;
      }
      most *= 2;
      const more = await loaded(store, id, agent, { path: most });
      if (!more) throw new CorruptStoreError("The conversation was removed from its store while it was read.");
      stored = more;
    }
  });
}

function crossed(state: State, { message }: Node): number {
  try {
    return state.core().add(message);
  } catch (error) {
    throw damage(error);
  }
}

/** The path to the tip, as far as it was given. A store may give more than was asked for. */
function pathOf({ nodes, tip }: Stored): Node[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const path: Node[] = [];
  for (let node = tip === null ? undefined : byId.get(tip); node && path.length < nodes.length; node = node.parent === null ? undefined : byId.get(node.parent)) path.push(node);
  return path.reverse();
}

function restorePart<M extends object>(state: State<M>, kept: readonly Node[], stored: Stored): void {
  const { tip, checkpoints, records } = stored;
  const named = [tip, kept[0]?.parent ?? null, ...checkpoints.map(({ at }) => at), ...records.flatMap(({ from, to }) => [from, to])];
  const here = new Set(kept.map(({ id }) => id));
  const elsewhere = [...new Set(named)].filter((id) => typeof id === "string" && !here.has(id)) as NodeId[];
  restore(state, kept, stored, "part", { numbers: kept.map(({ id }) => state.nodes.number(id)!), elsewhere });
  state.beyond = new Set([kept.length === 0 ? tip : kept[0]!.parent].filter((id) => id !== null));
}

/** Fills a new state. `numbers`: of the messages, where they have crossed already. @throws {CorruptStoreError} with what could be saved. */
export function restore<M extends object>(
  state: State<M>,
  given: readonly Node[],
  head: Head & { revision?: number },
  origin: "store" | "part" | "import",
  { numbers = given.map((node) => state.core().add(node.message)), elsewhere }: { numbers?: readonly number[]; elsewhere?: NodeId[] } = {},
): Restored {
  const { nodes } = state;
  const rows = given.map(({ id, parent, at }, index) => [id, parent, at, numbers[index]]);
  const { tip, records, checkpoints } = head;
  const told = state.call<Restored>("restore", { rows, head: { tip, records, checkpoints }, origin, elsewhere });
  const byNumber: Node<M>[] = [];
  for (let i = 0; i < given.length; i++) byNumber[numbers[i]!] = given[i]!;
  const restored: Node<M>[] = [];
  for (const row of told.nodes) {
    const number = typeof row === "number" ? row : row[0];
    const node = byNumber[number]!;
    const mine = typeof row === "number" || (node.id === row[1] && node.parent === row[2]) ? node : { ...node, id: row[1], parent: row[2] };
    nodes.set(number, mine);
    if (origin === "import") nodes.pending.add(mine.id);
    restored.push(mine);
  }
  const standing = new Set(told.head.records);
  state.records.replace(records.filter(({ id }) => standing.has(id)));
  Object.assign(state, { meta: head.meta, notes: head.notes, calibration: head.calibration, revision: head.revision ?? 0 });
  // Of a file everything is still to be written.
  state.saved = origin === "import" ? "" : state.headText();
  if (told.damaged !== null) {
    const saved: Stored = { ...state.head(told.head), nodes: restored, revision: state.revision, version: 1 };
    if (origin !== "import") throw new CorruptStoreError(told.damaged, restored.length > 0 ? saved : undefined);
  }
  return told;
}

/** One that was imported; to be committed. */
export async function from<M extends object>(exported: Exported, given: CompactOptions & { store: Store; id?: string }): Promise<State<M>> {
  const { store, id, ...options } = optionsIn(given) as typeof given;
  if (!isObject(exported) || !Array.isArray(exported.nodes)) throw new OptionError("What was exported is a conversation with `nodes`, as importSession gives it.");
  const fault = headFaults(exported)[0] ?? exported.nodes.map(strange).find((fault) => fault !== undefined);
  if (fault !== undefined) throw new OptionError(`In what was exported ${fault}.`);
  const named = { store, id: id ?? exported.id, agent: exported.agent ?? AGENT, format: exported.format };
  checkNamed(named.store, named.id, named.agent);
  await init();
  const state = new State<M>(named, options);
  return freed(state, async () => void restore(state, exported.nodes, { ...headOf(exported) }, "import"));
}

/** The path to `at` as a conversation of its own, with new ids. */
export async function duplicate<M extends object>(state: State<M>, given: { id: string; at?: NodeId; store?: Store }): Promise<State<M>> {
  const { id, at, store = state.store } = optionsIn(given) as typeof given;
  checkNamed(store, id, state.agent);
  const end = at ?? state.tip();
  const ids = state.nodes.pathTo(end).map(newId);
  const copied = state.call<{ former: NodeId[]; rows: Row[]; head: HeadTold }>("duplicate", { ...(at !== undefined && { at }), ids });
  const nodes = copied.rows.map(([number, id, parent]) => ({ ...state.nodes.at(number), id, parent }));
  const now = new Map(copied.former.map((former, index) => [former as string | number, copied.rows[index]![1]]));
  const records = state.records.of(copied.head.records).map((record) => renamed(record, (end) => now.get(end)));
  const { tip, checkpoints } = copied.head;
  const { format, agent, meta, notes, calibration, options } = state;
  const head: Head = { tip, records, checkpoints, format, meta: plain(meta, "The `meta` of the conversation") as Head["meta"], notes: { ...notes }, ...(calibration && { calibration }) };
  const copy = new State<M>({ store, id, agent, format }, options);
  return freed(copy, async () => void restore(copy, nodes, head, "import"));
}

function headOf({ tip, records, checkpoints, format, meta, notes, calibration }: Head): Head {
  return { tip, records, checkpoints, format, meta, notes, ...(calibration && { calibration }) };
}

/** The state after `fill`; freed when that fails. */
async function freed<S extends State<any>>(state: S, fill: () => Promise<void>): Promise<S> {
  try {
    await fill();
    return state;
  } catch (error) {
    state.free();
    throw error;
  }
}

function checkNamed(store: Store, id: string, agent: string): void {
  if (!isObject(store) || typeof store.load !== "function" || typeof store.commit !== "function") throw new OptionError("A conversation needs a `store`: memoryStore(), or one that keeps it.");
  if (typeof id !== "string" || id === "") throw new OptionError("A conversation needs an `id`, a text.");
  if (typeof agent !== "string") throw new OptionError("The `agent` of a conversation is a text.");
}

function checkLoad(load: Load): void {
  const limits = isObject(load) ? [load.messages, load.tokens].filter((limit) => limit !== undefined) : [];
  const isLimit = (limit: unknown): boolean => Number.isSafeInteger(limit) && (limit as number) >= 0 && (limit as number) < 2 ** 32;
  if (limits.length === 0 || !limits.every(isLimit)) throw new OptionError("`load` is { messages } or { tokens }, whole numbers from 0.");
}

function checkFormat(stored: Stored, format: Format | undefined): void {
  if (format !== undefined && stored.format !== format) throw new OptionError(`This conversation is of the format ${stored.format}, not ${format}: leave \`format\` out, or use another id.`);
}
