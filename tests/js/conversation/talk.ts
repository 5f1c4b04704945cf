/** What the tests of conversations share. */
import { Conversation } from "../../../pkg/entry/node.js";
import { memoryStore } from "../../../pkg/stores/memory.js";
import type { Store } from "../../../pkg/stores/store.js";

export const user = (content: string): any => ({ role: "user", content });
export const assistant = (content: string): any => ({ role: "assistant", content });
export const calling = (id: string, args: object = {}): any => ({ role: "assistant", content: null, tool_calls: [{ id, type: "function", function: { name: "run", arguments: JSON.stringify(args) } }] });
export const result = (id: string, content = "done"): any => ({ role: "tool", tool_call_id: id, content });

export const MODEL = { id: "mine", window: 8_000 };

export async function chat(options: { store?: Store; id?: string; [key: string]: unknown } = {}): Promise<Conversation> {
  return Conversation.open({ store: memoryStore(), id: "talk", format: "openai-chat", model: MODEL, ...options });
}

export const texts = (conversation: Conversation): unknown[] => conversation.messages().map(({ message }) => message.content);

/** Waits until `holds`, for what happens in tasks of its own. */
export async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 500) throw new Error("it did not come true");
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
