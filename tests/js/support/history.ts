/** Histories of agents at work, of any length, the same each time. */

const LINE = "    let total = items.iter().map(|item| item.price * item.count).sum::<u64>(); // checked\n";

/** The text that the `step`-th call returned. */
export function output(step: number, lines = 40): string {
  return `// file ${step}\n${LINE.repeat(lines)}`;
}

/** An Anthropic request: a task, then `steps` calls with their results, asked for over some exchanges. */
export function anthropicHistory(steps: number, lines = 40): { model: string; max_tokens: number; system: string; tools: object[]; messages: any[] } {
  const messages: any[] = [{ role: "user", content: "Find where the total is wrong." }];
  for (let step = 0; step < steps; step++) {
    const id = `toolu_${step}`;
    messages.push(
      { role: "assistant", content: [{ type: "text", text: `Looking at file ${step}.` }, { type: "tool_use", id, name: "read", input: { path: `src/${step}.rs` } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: output(step, lines) }] },
    );
    if (step % 5 === 4) messages.push({ role: "assistant", content: `Nothing in the first ${step + 1}.` }, { role: "user", content: `Then look at the next, from ${step + 1} on.` });
  }
  const tools = [{ name: "read", description: "Reads a file.", input_schema: { type: "object", properties: { path: { type: "string" } } } }];
  return { model: "claude-sonnet-4-5", max_tokens: 2000, system: "You are careful.", tools, messages };
}

/** The same work as an OpenAI chat request. */
export function chatHistory(steps: number, lines = 40): { model: string; max_completion_tokens: number; messages: any[] } {
  const messages: any[] = [
    { role: "system", content: "You are careful." },
    { role: "user", content: "Find where the total is wrong." },
  ];
  for (let step = 0; step < steps; step++) {
    const id = `call_${step}`;
    messages.push(
      { role: "assistant", content: null, tool_calls: [{ id, type: "function", function: { name: "read", arguments: JSON.stringify({ path: `src/${step}.rs` }) } }] },
      { role: "tool", tool_call_id: id, content: output(step, lines) },
    );
    if (step % 5 === 4) messages.push({ role: "assistant", content: `Nothing in the first ${step + 1}.` }, { role: "user", content: `Then look at the next, from ${step + 1} on.` });
  }
  return { model: "gpt-4o", max_completion_tokens: 2000, messages };
}

/** Freezes all of it: whoever writes to the caller's objects throws. */
export function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value)) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
