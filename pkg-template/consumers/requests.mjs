// One long session of an agent as each provider's clients write it: too large for the window it is to fit. The same each time.

const window = 16_000;
const steps = 40;

const tasks = ["Find where the total is wrong.", "Suche weiter – auch in den Übersetzungen.", "还有别的地方吗？请继续。", "And the last few? 🙏"];
const line = "    let total = items.iter().map(|item| item.price * item.count).sum::<u64>(); // 合計, geprüft\n";
const result = (step) => `// file ${step}\n${line.repeat(20 + ((step * 7) % 23))}`;
// One pixel, for what counts is the header.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

function anthropic() {
  const messages = [{ role: "user", content: tasks[0] }];
  for (let step = 0; step < steps; step++) {
    const id = `toolu_${step}`;
    const use = { type: "tool_use", id, name: step % 8 === 3 ? "look" : "read", input: { path: `src/${step}.rs` } };
    const source = { type: "base64", media_type: "image/png", data: pixel };
    const content = use.name === "look" ? [{ type: "image", source }] : result(step);
    messages.push({ role: "assistant", content: [{ type: "text", text: `Looking at file ${step}.` }, use] });
    messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] });
    if (step % 10 !== 9 || step + 1 === steps) continue;
    messages.push({ role: "assistant", content: [{ type: "text", text: `Nothing in the first ${step + 1}.` }] });
    messages.push({ role: "user", content: tasks[(step + 1) / 10] });
  }
  return { model: "claude-sonnet-4-5", max_tokens: 2000, system: "You are careful.", messages };
}

function chat() {
  const messages = [{ role: "system", content: "You are careful." }, { role: "user", content: tasks[0] }];
  for (let step = 0; step < steps; step++) {
    const id = `call_${step}`;
    const call = { name: "read", arguments: JSON.stringify({ path: `src/${step}.rs` }) };
    messages.push({ role: "assistant", content: null, tool_calls: [{ id, type: "function", function: call }] });
    messages.push({ role: "tool", tool_call_id: id, content: result(step) });
    if (step % 10 !== 9 || step + 1 === steps) continue;
    messages.push({ role: "assistant", content: `Nothing in the first ${step + 1}.` });
    const picture = { type: "image_url", image_url: { url: `data:image/png;base64,${pixel}`, detail: "low" } };
    messages.push({ role: "user", content: [{ type: "text", text: tasks[(step + 1) / 10] }, picture] });
  }
  return { model: "gpt-4o", max_completion_tokens: 2000, messages };
}

export const requests = [anthropic(), chat()].map((body) => ({ body, options: { model: { id: body.model, window } } }));
