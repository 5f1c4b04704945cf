/** A conversation outside of any store. */
import type { Head, Node } from "../stores/store.js";

/** What `importSession` gives and `Conversation.from` takes. */
export interface Exported extends Head {
  id: string;
  agent: string;
  nodes: Node[];
}
