/** A Claude Code session: one record a line, a tree by `parentUuid`. The core finds the main chain; the words stay here. */
import { main_chain } from "./core.js";
import { type CoreError, errorOf, PalimpsestError } from "./errors.js";
import { inCore } from "./job.js";
import { isObject } from "./json.js";
import { init } from "./load.js";
import type { SessionFile } from "./read-session.js";
import { reading, TapeWriter } from "./tape.js";

interface Line {
  message: { role?: unknown; content?: unknown; model?: unknown };
}

/** Whether a line was written by Claude Code. */
export function looksRecorded(value: object | null): boolean {
  if (value === null) return false;
  const { type, message, uuid, sessionId } = value as Record<string, unknown>;
  return typeof type === "string" && (isObject(message) || typeof uuid === "string" || typeof sessionId === "string");
}

/**
 * The main chain as a request. Its model is the one that answered last.
 *
 * @param records one a line, `null` where a line was no JSON object.
 * Rejects with code "import-failed" when no line is a message.
 */
export async function asClaudeCode(records: (object | null)[]): Promise<SessionFile> {
  await init();
  const tape = reading(() => new TapeWriter().value(records.map(outline)));
  const answer = inCore(() => JSON.parse(main_chain(tape)) as { done: { messages: number[][]; skipped: number } } | { error: CoreError });
  if ("error" in answer) throw errorOf(answer.error);
  const { messages: chain, skipped } = answer.done;
  if (chain.length === 0) throw new PalimpsestError("import-failed", `None of ${records.length} lines is a message of a Claude Code session.`);

  const messages = chain.map((lines) => messageOf(lines.map((line) => records[line] as Line)));
  const model = chain
    .flat()
    .map((line) => (records[line] as Line).message.model)
    .findLast((id) => typeof id === "string" && !id.startsWith("<")); // "<synthetic>": written by the program itself
  const request = model === undefined ? { messages } : { model, messages };
  return { kind: "claude-code", request, format: "anthropic", lines: records.length, skipped };
}

/** What the core needs to follow the tree and pair results: no words, no second copies of results. */
function outline(record: object | null): unknown {
  if (record === null) return null;
  const { toolUseResult: _, message, ...rest } = record as Record<string, unknown>;
  if (!isObject(message)) return rest;
  const { id, role, content } = message as Record<string, unknown>;
  return { ...rest, message: { id, role, content: outlineOf(content) } };
}

function outlineOf(content: unknown): unknown {
  if (typeof content === "string") return true;
  if (!Array.isArray(content)) return undefined;
  return content.map((block: unknown) => {
    const { type, id, tool_use_id } = isObject(block) ? (block as Record<string, unknown>) : {};
    return { type, id, tool_use_id };
  });
}

/** One message out of the lines over which it was written. */
function messageOf(lines: Line[]): object {
  const role = lines[0]?.message.role;
  const contents = lines.map((line) => line.message.content);
  return { role, content: contents.length === 1 ? contents[0] : contents.flatMap(blocksOf) };
}

function blocksOf(content: unknown): unknown[] {
  if (Array.isArray(content)) return content as unknown[];
  return typeof content === "string" && content !== "" ? [{ type: "text", text: content }] : [];
}
