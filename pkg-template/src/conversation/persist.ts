/** Between memory and store: commits, and what others committed. */
import { ConflictError, OptionError, PalimpsestError } from "../errors.js";
import { incoming, outgoing } from "../stores/blobs.js";
import type { Node, NodeId, Stored } from "../stores/store.js";
import { loaded } from "../stores/stored.js";
import { newId } from "./ids.js";
import type { HeadTold, State } from "./state.js";

/** How often a commit is tried again when others keep coming first. Many: whoever has to read again is slower than whoever need not. */
const TRIES = 100;
/** Milliseconds that two who collided wait at most before the first try, and the most before any. */
const PAUSE = 2;
const LONGEST = 60;

/** Number, id and parent of a node as the core tells of it. */
export type Row = [number: number, id: NodeId, parent: NodeId | null];

/** Writes what is new. Rejects: OpenTurnError, QuotaError, ConflictError when others always came first, whatever the store says; all waits then. */
export function commit(state: State, alone = false): Promise<void> {
  return state.commits.run(async () => {
    for (let tries = 0; ; tries++) {
      if (!isChanged(state)) return;
      try {
        return await write(state);
      } catch (error) {
        if (!isConflict(error) || alone || tries === TRIES) throw error;
        await pause(tries);
        await reload(state, error);
      }
    }
  });
}

function isChanged(state: State): boolean {
  return state.call<boolean>("changed") || state.headText() !== state.saved;
}

async function write(state: State): Promise<void> {
  const said = state.headText();
  const { nodes: numbers, head } = state.call<{ nodes: number[]; head: HeadTold }>("beginCommit");
  const nodes = numbers.map((number) => state.nodes.at(number));
  let written = false;
  try {
    const change = await outgoing(state.store, { ...state.head(head), nodes });
    const revision: unknown = await state.store.commit(state.id, state.agent, state.revision, change);
    // Taken for not written: the next commit finds what is stored, and unites.
    if (!(Number.isSafeInteger(revision) && (revision as number) > 0)) throw new OptionError(`The store's \`commit\` answered ${String(revision)}: it must return the new revision, a whole number.`);
    state.revision = revision as number;
    state.saved = said;
    written = true;
  } finally {
    state.call("endCommit", { written });
  }
  for (const { id } of nodes) state.nodes.pending.delete(id);
}

/** A store of the caller's may throw the error of another copy of this package. */
function isConflict(error: unknown): boolean {
  return error instanceof ConflictError || (error as { code?: unknown } | null)?.code === "conflict";
}

function pause(tries: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(LONGEST, PAUSE * 2 ** tries)));
}

/** Takes in what others committed. */
async function reload(state: State, cause?: unknown): Promise<void> {
  const stored = await loaded(state.store, state.id, state.agent);
  if (!stored) {
    const words = "The conversation was removed from its store by someone else. What is in memory is still here: duplicate it to keep it.";
    throw new ConflictError(words, { cause });
  }
  if (stored.format !== state.format) throw new PalimpsestError("conflict", `Another conversation, of the format ${stored.format}, is stored under this name: use another id.`);
  if (stored.revision === state.revision) return;
  unite(state, await incoming(state.store, stored));
  state.changed();
}

/** Hears of commits made elsewhere. Returns the function that ends it. */
export function follow(state: State): () => void {
  const end = state.store.subscribe?.((id, agent, revision) => {
    if (id !== state.id || agent !== state.agent || revision === 0) return;
    const news = async (): Promise<void> => {
      if (revision === undefined || revision > state.revision) await reload(state);
    };
    // What cannot be read now is read by the next commit, which tells whoever waits for it.
    state.commits.run(news).catch(() => {});
  });
  // One of the caller's may answer anything, a promise for example.
  return typeof end === "function" ? end : () => {};
}

function unite(state: State, stored: Stored): void {
  const { nodes } = state;
  const incomingNodes = new Map<number, Node>();
  const attached = new Set<NodeId>();
  let clashes = 0;
  const rows = stored.nodes.map((node) => {
    const known = nodes.number(node.id);
    let number = known;
    if (known === undefined || nodes.pending.has(node.id)) {
      // Of a part, what follows nothing that is loaded stays in the store: its words need not cross.
      const follows = node.parent !== null && (attached.has(node.parent) || nodes.number(node.parent) !== undefined || state.beyond?.has(node.parent));
      number = !state.beyond || follows || known !== undefined ? state.core().add(node.message) : undefined;
      if (number !== undefined) {
        incomingNodes.set(number, node);
        attached.add(node.id);
      }
      if (known !== undefined) clashes++;
    }
    return [node.id, node.parent, node.at, number ?? filler(state, node)];
  });
  const ids = Array.from({ length: clashes }, newId);
  const head = { tip: stored.tip, records: stored.records, checkpoints: stored.checkpoints };
  const united = state.call<{ added: Row[]; renamed: [number, NodeId, NodeId][]; head: HeadTold }>("unite", { rows, head, ids });

  const mine = state.records;
  for (const [number, id, former] of united.renamed) {
    nodes.rename(number, id, former);
    mine.follow(former, id, stored.records);
  }
  const renamed = new Set(united.renamed.map(([, , former]) => former));
  // What the store holds under an id of ours, and is ours, did arrive.
  for (const { id } of stored.nodes) if (!renamed.has(id)) nodes.pending.delete(id);
  for (const [number, id, parent] of united.added) {
    const node = incomingNodes.get(number);
    if (node) nodes.set(number, node.id === id && node.parent === parent ? node : { ...node, id, parent });
  }
  const theirs = new Map(stored.records.map((record) => [record.id, record]));
  mine.replace(united.head.records.flatMap((id) => mine.get(id) ?? theirs.get(id) ?? []));
  takeHead(state, stored);
  state.revision = stored.revision;
}

/** Of title, notes and calibration what was changed here stands, else what is stored. */
function takeHead(state: State, stored: Stored): void {
  const changed = state.headText() !== state.saved;
  const { meta, notes, calibration } = state;
  Object.assign(state, { meta: stored.meta, notes: stored.notes, calibration: stored.calibration });
  state.saved = state.headText();
  if (changed) Object.assign(state, { meta, notes, calibration });
}

/** A row that stays in the store is known by its id; any message stands for its words. */
function filler(state: State, node: Node): number {
  const [any] = state.nodes.all();
  return any ? state.nodes.number(any.id)! : state.core().add(node.message);
}
