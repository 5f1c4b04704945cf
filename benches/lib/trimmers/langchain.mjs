// `trimMessages` of LangChain, with the options its documentation recommends for chat histories. It chooses among messages and changes
// none, so each goes in as one of LangChain's own with its number for an id, and the caller's own message comes back.
import { AIMessage, HumanMessage, SystemMessage, ToolMessage, trimMessages } from "@langchain/core/messages";
import { isInstruction, isResult, withMessages } from "./request.mjs";

export const name = "@langchain/core trimMessages";

export function prepare({ messages }) {
  return messages.map((message, i) => {
    const fields = { id: String(i), content: typeof message.content === "string" ? message.content : "…" };
    if (isInstruction(message)) return new SystemMessage(fields);
    if (message.role === "assistant") return new AIMessage(fields);
    return isResult(message) ? new ToolMessage({ ...fields, tool_call_id: "…" }) : new HumanMessage(fields);
  });
}

export async function trim({ request, messages, costs, budget }, list) {
  const tokenCounter = (part) => part.reduce((total, { id }) => total + costs[id], 0);
  const options = { maxTokens: budget, tokenCounter, strategy: "last", startOn: "human", endOn: ["human", "tool"], includeSystem: true };
  return withMessages(request, (await trimMessages(list, options)).map(({ id }) => messages[id]));
}
