/** A history that an app holds itself: what of it is known here already. Nothing of it crosses to the core before it is known to be new. */
import { OptionError } from "../errors.js";
import type { NodeId } from "../stores/store.js";
import { same } from "./same.js";
import type { State } from "./state.js";

/**
 * Follows a history as far as it is known: along the path first, then along whatever branch goes on like it, the newest one if several do.
 * `at`: where that ends; `known`: how many messages it is.
 * @throws {OptionError} when only a part of the conversation is loaded.
 */
export function followed(state: State, messages: readonly object[]): { at: NodeId | null; known: number } {
  if (state.beyond) throw new OptionError("Only a part of this conversation is loaded: open it without `load` to compare whole histories.");
  let at: NodeId | null = null;
  let known = 0;
  for (const { id, message } of state.views.line()) {
    if (known === messages.length || !same(message, messages[known])) break;
    at = id;
    known++;
  }
  for (; known < messages.length; known++) {
    const children: NodeId[] = state.call("children", at === null ? {} : { at });
    const next = children.reverse().find((id) => same(state.nodes.get(id)?.message, messages[known]));
    if (next === undefined) break;
    at = next;
  }
  return { at, known };
}
