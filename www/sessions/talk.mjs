// Writes down a session as it would be posted: Anthropic's format, and the same as an OpenAI chat.

import { createHash } from "node:crypto";

const object = (properties) => ({ type: "object", properties, required: Object.keys(properties) });
const text = (description) => ({ type: "string", description });

const TOOLS = [
  ["list_files", "Lists the files of the project with their sizes.", {}],
  ["read_file", "Reads a file; lines come numbered.", { path: text("Path from the root of the project.") }],
  ["search", "Searches all files for a regular expression.", { pattern: text("A regular expression.") }],
  ["edit_file", "Replaces a text that stands in the file exactly once; answers with the difference.", { path: text("Path."), before: text("The text as it stands."), after: text("What shall stand there.") }],
  ["write_file", "Writes a whole file.", { path: text("Path."), text: text("All of it.") }],
  ["run", "Runs a command in the project and answers with what it printed.", { command: text("A shell command.") }],
  ["screenshot", "Opens a page of the test shop and takes a picture of it.", { url: text("Address.") }],
].map(([name, description, properties]) => ({ name, description, input_schema: object(properties) }));

const image = (png) => ({ type: "image", source: { type: "base64", media_type: "image/png", data: png.toString("base64") } });
const digest = (words) => createHash("sha512").update(words).digest();

export class Talk {
  messages = [];
  #calls = 0;

  constructor(desk) {
    this.desk = desk;
  }

  person(words, ...pictures) {
    this.messages.push({ role: "user", content: [...pictures.map(image), { type: "text", text: words }] });
  }

  /** The agent thinks (or not), says something and calls tools: [name, input, answer]. The desk answers for its own tools. */
  step(thought, words, ...calls) {
    const asked = calls.map(([name, input, answer]) => ({ name, input, answer, id: `toolu_01${digest(`${++this.#calls}`).toString("base64url").replace(/[-_]/g, "x").slice(0, 22)}` }));
    this.#says(thought, words, asked.map(({ id, name, input }) => ({ type: "tool_use", id, name, input })));
    this.messages.push({ role: "user", content: asked.map((call) => ({ type: "tool_result", tool_use_id: call.id, ...this.#result(call) })) });
  }

  answer(thought, words) {
    this.#says(thought, words, []);
  }

  #says(thought, words, calls) {
    const thinking = thought ? [{ type: "thinking", thinking: thought, signature: Buffer.concat([digest(thought), digest(`${words} ${thought}`)]).toString("base64") }] : [];
    this.messages.push({ role: "assistant", content: [...thinking, ...(words ? [{ type: "text", text: words }] : []), ...calls] });
  }

  #result({ name, input, answer }) {
    if (Buffer.isBuffer(answer)) return { content: [{ type: "text", text: `${input.url}, 840 × 560` }, image(answer)] };
    if (answer instanceof Error) return { content: answer.message, is_error: true };
    if (answer !== undefined) return { content: answer };
    try {
      switch (name) {
        case "list_files": return { content: this.desk.list() };
        case "read_file": return { content: this.desk.read(input.path) };
        case "search": return { content: this.desk.search(input.pattern) };
        case "edit_file": return { content: this.desk.edit(input.path, input.before, input.after) };
        case "write_file": return { content: this.desk.write(input.path, input.text) };
      }
    } catch (error) {
      return { content: error.message, is_error: true };
    }
    throw new Error(`the story has no answer for ${name} ${JSON.stringify(input)}`);
  }

  anthropic(model, system) {
    return { model, max_tokens: 8000, system, tools: TOOLS, messages: this.messages };
  }

  /** An OpenAI chat has no thinking, and pictures only in what a person sends. */
  chat(model, system) {
    const tools = TOOLS.map(({ name, description, input_schema }) => ({ type: "function", function: { name, description, parameters: input_schema } }));
    return { model, max_completion_tokens: 8000, tools, messages: [{ role: "system", content: system }, ...this.messages.flatMap(chatMessages)] };
  }
}

function chatMessages({ role, content }) {
  const words = content.filter((part) => part.type === "text").map((part) => part.text).join("\n");
  if (role === "assistant") {
    const calls = content.filter((part) => part.type === "tool_use").map(({ id, name, input }) => ({ id: id.replace("toolu_01", "call_"), type: "function", function: { name, arguments: JSON.stringify(input) } }));
    return [{ role, content: words || null, ...(calls.length > 0 && { tool_calls: calls }) }];
  }
  if (content[0].type !== "tool_result") {
    return [{ role, content: content.map((part) => (part.type === "text" ? part : { type: "image_url", image_url: { url: `data:image/png;base64,${part.source.data}` } })) }];
  }
  return content.map((part) => ({
    role: "tool",
    tool_call_id: part.tool_use_id.replace("toolu_01", "call_"),
    content: typeof part.content === "string" ? part.content : part.content.map(({ text }) => text ?? "(a picture)").join("\n"),
  }));
}
