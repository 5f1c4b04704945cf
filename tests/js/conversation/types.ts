/** Never run: what must compile does, what must not does not. `types.test.ts` asks the compiler. */
import { Conversation, type Exported, type Node, type TimelineEntry, type TreeNode } from "../../../pkg/index.js";
import { memoryStore } from "../../../pkg/stores/memory.js";
import { importSession } from "../../../pkg/sessions.js";

interface Message {
  role: "user" | "assistant";
  content: string;
}
declare function useSyncExternalStore<T>(subscribe: (listener: () => void) => () => void, snapshot: () => T): T;

export async function compiles(): Promise<void> {
  await using talk = await Conversation.open<Message>({ store: memoryStore(), id: "a", format: "openai-chat", model: "gpt-5", load: { messages: 50 } });
  const id: string = talk.append([{ role: "user", content: "a" }], { parent: null, meta: { starred: true } });
  // @ts-expect-error: no message of this conversation's type
  talk.append({ role: "tool", content: 7 });
  talk.appendReply({ choices: [] });
  const shown: Node<Message>[] = useSyncExternalStore(talk.subscribe, talk.messages);
  const lines: TimelineEntry<Message>[] = useSyncExternalStore(talk.subscribe, talk.timeline);
  for (const line of lines) if (line.kind === "message") line.node.message.content.trim();
  const { body } = await talk.request<{ model: string; messages: Message[] }>({ threshold: 0.7 });
  const words: string | undefined = body.messages[0]?.content ?? shown[0]?.message.content;
  talk.meta.title = words ?? "";
  const tree: TreeNode[] = talk.tree();
  talk.rewind("label", { synthesis: tree[0]?.preview ?? "" });
  const again = await talk.retry();
  if (again.status === "ready") again.body;
  // @ts-expect-error: a name is not to be changed
  talk.id = id;
  const { conversations } = await importSession(talk.export("json"), { kind: "palimpsest" });
  const exported: Exported | undefined = conversations[0];
  if (exported) (await Conversation.from<Message>(exported, { store: memoryStore() })).configure({ focus: "a" });
  // @ts-expect-error: a store is needed
  await Conversation.open({ id: "a" });
}
