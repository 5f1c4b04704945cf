/** A history that an app holds itself: what of it is known here already, and what is new. Nothing of it crosses to the core before it is known to be new. */
import { OptionError } from "../errors.js";
import type { Node, NodeId } from "../stores/store.js";
import { goesOn, same } from "./same.js";
import type { State } from "./state.js";

/**
 * Takes over what is new; answers how many messages that is. One that goes on a message which is not committed and which nothing follows takes its
 * place: an answer that streams is handed over again and again.
 * @throws {OptionError} when only a part of the conversation is loaded.
 */
export function takeOver<M extends object>(state: State<M>, messages: readonly M[]): number {
  const { at, known } = followed(state, messages);
  const draft = known < messages.length ? updated(state, at, messages[known]!) : undefined;
  const [end, rest] = draft ? [draft.id, messages.slice(known + 1)] : [at, messages.slice(known)];
  try {
    if (rest.length > 0) state.append(rest, end);
  } catch (error) {
    if (draft) state.update(draft.id, draft.message);
    throw error;
  }
  if (rest.length === 0 && end !== state.tip()) {
    state.call("branch", end === null ? {} : { at: end });
    state.changed();
  }
  return rest.length;
}

/** Follows a history as far as it is known: along the path first, then along whatever branch goes on like it, the newest one if several do. */
function followed(state: State, messages: readonly object[]): { at: NodeId | null; known: number } {
  if (state.beyond) throw new OptionError("Only a part of this conversation is loaded: open it without `load` to compare whole histories.");
  let at: NodeId | null = null;
  let known = 0;
  for (const { id, message } of state.views.line()) {
    if (known === messages.length || !same(message, messages[known])) break;
    at = id;
    known++;
  }
  for (; known < messages.length; known++) {
    const next = childrenOf(state, at).find((id) => same(state.nodes.get(id)?.message, messages[known]));
    if (next === undefined) break;
    at = next;
  }
  return { at, known };
}

/** Updates the draft that a message goes on; answers it as it was. `undefined`: there is none. */
function updated<M extends object>(state: State<M>, at: NodeId | null, next: M): Node<M> | undefined {
  const isDraft = (id: NodeId): boolean => state.nodes.pending.has(id) && childrenOf(state, id).length === 0;
  const id = childrenOf(state, at).find((id) => isDraft(id) && goesOn(state.nodes.get(id)?.message, next));
  if (id === undefined) return undefined;
  const draft = state.nodes.get(id)!;
  try {
    state.update(id, next);
    return draft;
  } catch (error) {
    // It is being committed just now; or the message cannot be read, which is told when it is appended.
    if (error instanceof OptionError) return undefined;
    throw error;
  }
}

/** The newest first. */
function childrenOf(state: State, at: NodeId | null): NodeId[] {
  return state.call<NodeId[]>("children", at === null ? {} : { at }).reverse();
}
