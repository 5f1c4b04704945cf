/** Thinking goes back byte for byte: signatures, and what was issued beside them. */
import { createHash } from "node:crypto";
import { invalid } from "./refusal.js";

/** Blocks of the responses that held thinking, by the signature of each. */
export type Issued = Map<string, any[]>;

const OWN = "sig-";

/** The signature of a thought: nobody else can make one, and it fits no other words. */
export function sign(thinking: string): string {
  return OWN + createHash("sha256").update("a secret of this provider").update(thinking).digest("base64url");
}

const isThinking = ({ type }: any): boolean => type === "thinking" || type === "redacted_thinking";

interface Turn {
  role: string;
  index: number;
  blocks: { block: any; path: string }[];
}

/** @throws {Refused} */
export function checkThinking(body: any, turns: Turn[], rules: { foreignSignatures: boolean }, issued: Issued): void {
  for (const { block, path } of turns.flatMap(({ blocks }) => blocks)) {
    if (block.type === "thinking") checkSignature(block, path, rules);
    if (isThinking(block) && block.cache_control) invalid("thinking-marker", `${path}.${block.type}.cache_control: Extra inputs are not permitted`);
  }
  const latest = turns.findLast(({ role }) => role === "assistant");
  if (latest) checkLatest(latest, issued);
  const enabled = body.thinking !== undefined && body.thinking !== null && body.thinking.type !== "disabled";
  if (!enabled) return;
  if (body.thinking.budget_tokens >= body.max_tokens) invalid("thinking-budget", "`max_tokens` must be greater than `thinking.budget_tokens`.");
  if (latest) checkLoop(turns);
}

function checkSignature(block: any, path: string, { foreignSignatures }: { foreignSignatures: boolean }): void {
  if (typeof block.thinking !== "string") invalid("thinking", `${path}.thinking.thinking: Field required`);
  if (typeof block.signature !== "string") invalid("thinking", `${path}.thinking.signature: Field required`);
  const own = block.signature.startsWith(OWN);
  if (own ? block.signature !== sign(block.thinking) : !foreignSignatures) {
    invalid("thinking-signature", `${path}: Invalid \`signature\` in \`thinking\` block`);
  }
}

/** What the latest assistant turn thought is whole, in order and in its place. */
function checkLatest(latest: Turn, issued: Issued): void {
  const responses = new Set<any[]>();
  for (const { block } of latest.blocks) {
    const response = isThinking(block) ? issued.get(block.signature ?? block.data) : undefined;
    if (response) responses.add(response);
  }
  if (responses.size === 0) return;
  const kept = placesOf(latest.blocks.map(({ block }) => block));
  const received = placesOf([...responses].flat());
  const same = kept.length === received.length && received.every(({ thought, next }, at) => kept[at]!.thought === thought && (next === undefined || kept[at]!.next === next));
  if (same) return;
  const wrong = latest.blocks.find(({ block }) => isThinking(block))!;
  const words = "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.";
  invalid("thinking-modified", `${wrong.path}: ${words} These blocks must remain as they were in the original response.`);
}

/** Each thought, and the kind of block it stands before. Blank text may not go back, so it is no place. */
function placesOf(blocks: any[]): { thought: string; next: string | undefined }[] {
  const solid = blocks.filter(({ type, text }) => type !== "text" || text.trim() !== "");
  return solid.flatMap((block, at) => (isThinking(block) ? [{ thought: JSON.stringify([block.type, block.thinking ?? block.data, block.signature]), next: solid[at + 1]?.type }] : []));
}

/** With thinking enabled, a turn that calls tools and is being answered begins with a thought. */
function checkLoop(turns: Turn[]): void {
  const answered = turns.at(-1);
  const asked = turns.at(-2);
  if (answered?.role !== "user" || asked?.role !== "assistant") return;
  if (!answered.blocks.some(({ block }) => block.type === "tool_result")) return;
  const first = asked.blocks[0]!;
  if (isThinking(first.block)) return;
  const words = `Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.block.type}\`.`;
  const why = "When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks).";
  invalid("thinking-missing", `${first.path}.type: ${words} ${why}`);
}
