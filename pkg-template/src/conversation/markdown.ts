/** The path to the tip as Markdown. What was said stands in fences, so that nothing in it is taken for more than words. */
import { type Block, blocksOf, speakerOf } from "./blocks.js";
import type { State } from "./state.js";

export function markdown(state: State): string {
  const { title } = state.meta as { title?: unknown };
  const heading = `# ${line(typeof title === "string" && title.trim() !== "" ? title : state.id)}`;
  const parts = state.views.timeline().map((entry) => {
    if (entry.kind === "compaction") {
      const { rung, before, after } = entry.record;
      return `> *compacted: ${line(rung)}, ${before} → ${after} tokens*`;
    }
    const { message, at } = entry.node;
    return [`## ${line(speakerOf(message))}`, moment(at), ...blocksOf(message).map(block)].filter((part) => part !== "").join("\n\n");
  });
  return `${[heading, ...parts].join("\n\n")}\n`;
}

function block({ kind, name, text }: Block): string {
  switch (kind) {
    case "text":
      return fenced(text, "text");
    case "reasoning":
      return `*thinking*\n\n${fenced(text, "text")}`;
    case "call":
      return `*calls ${line(name)}*\n\n${fenced(text, "json")}`;
    case "result":
      return `*result*\n\n${fenced(text, "text")}`;
    case "picture":
      return "*a picture*";
    case "other":
      return `*${line(name || "other")}*\n\n${fenced(text, "json")}`;
  }
}

/** A fence longer than any row of backticks within. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((row) => row.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\r\n?/g, "\n")}\n${fence}`;
}

/** One line in which Markdown sees nothing. */
export function line(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim().slice(0, 200).replace(/[\\`*_{}[\]()#+\-.!|<>&~:@]/g, (letter) => `\\${letter}`);
}

/** When, where that is known. */
export function moment(at: number): string {
  return Number.isFinite(at) && at > 0 && at < 8.64e15 ? new Date(at).toISOString().replace("T", " ").slice(0, 16) : "";
}
