// `pruneMessages` of the AI SDK. It takes out thinking, calls and results before the last N messages and has no measure of tokens, so N is
// halved until the rest fits. Each part goes in as one of the SDK's own and remembers the caller's block it stands for.
import { pruneMessages } from "ai";
import { blocksOf, withMessages } from "./request.mjs";

export const name = "ai pruneMessages";

export function prepare({ messages }) {
  const roles = { assistant, tool };
  return messages.flatMap((message, i) => (roles[message.role] ?? user)(message, i));
}

export async function trim({ request, messages, fits }, list) {
  let rest = withMessages(request, messages);
  for (let last = list.length; ; last = Math.floor(last / 2)) {
    const toolCalls = last > 0 ? `before-last-${last}-messages` : "all";
    const pruned = pruneMessages({ messages: list, reasoning: "before-last-message", toolCalls, emptyMessages: "remove" });
    rest = withMessages(request, back(pruned, messages));
    if (last === 0 || (await fits(rest))) return rest;
  }
}

const called = (id, block) => ({ type: "tool-call", toolCallId: id, toolName: "tool", input: {}, block });
const result = (id, block) => ({ type: "tool-result", toolCallId: id, toolName: "tool", output: { type: "text", value: "" }, block });
const text = (block) => ({ type: "text", text: "…", block });

function assistant(message, of) {
  const blocks = blocksOf(message).map((block) => {
    if (block.type === "tool_use") return called(block.id, block);
    return /thinking/.test(block.type) ? { type: "reasoning", text: "…", block } : text(block);
  });
  const words = typeof message.content === "string" && message.content !== "" ? [text(message.content)] : [];
  const calls = (message.tool_calls ?? []).map((call) => called(call.id, call));
  return [{ role: "assistant", content: [...words, ...blocks, ...calls], of }];
}

const tool = (message, of) => [{ role: "tool", content: [result(message.tool_call_id, message)], of }];

/** Results stand in messages of their own. */
function user(message, of) {
  const blocks = blocksOf(message);
  const results = blocks.filter((block) => block.type === "tool_result").map((block) => result(block.tool_use_id, block));
  const others = blocks.filter((block) => block.type !== "tool_result").map(text);
  const words = typeof message.content === "string" ? [text(message.content)] : others;
  const role = message.role === "user" ? "user" : "system";
  const said = words.length || !results.length ? [{ role, content: words, of }] : [];
  return results.length ? [{ role: "tool", content: results, of }, ...said] : said;
}

/** The caller's messages with the blocks that were left. */
function back(pruned, messages) {
  const left = new Map();
  for (const { of, content } of pruned) left.set(of, new Set([...(left.get(of) ?? []), ...content.map(({ block }) => block)]));
  return [...left].map(([of, blocks]) => {
    const message = { ...messages[of] };
    if (Array.isArray(message.content)) message.content = message.content.filter((block) => blocks.has(block));
    if (message.tool_calls) {
      message.tool_calls = message.tool_calls.filter((call) => blocks.has(call));
      if (message.tool_calls.length === 0) delete message.tool_calls;
    }
    return message;
  });
}
