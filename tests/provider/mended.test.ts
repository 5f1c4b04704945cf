/** Histories torn at random: what the package mends or compacts, the strict provider takes. Each side was written without the other. */
import { expect, test } from "vitest";
import { compact, InvalidHistoryError, repair } from "../../pkg/entry/node.js";
import { checkAnthropic } from "./anthropic-rules.js";
import { prose, random } from "./answers.js";
import { png } from "./blank.js";
import { checkOpenai, type HostRules } from "./openai-rules.js";
import { takesSystem, type WireFormat } from "./provider.js";

type Next = () => number;
const whole = (next: Next, most: number): number => Math.floor(next() * (most + 1));
const pick = <T>(next: Next, list: readonly T[]): T => list[whole(next, list.length - 1)]!;

/** Few ids, so that they come again. */
const IDS = ["a", "b", "c", "d"];
const TEXTS = ["", " ", "\n\n"];

/** A message that is well formed in itself; whether it belongs where it stands is another matter. */
function anyMessage(next: Next, format: WireFormat, role: string): any {
  const text = whole(next, 5) === 0 ? pick(next, TEXTS) : prose(next, 1 + whole(next, whole(next, 9) === 0 ? 900 : 30));
  if (format === "openai-chat") {
    if (role === "tool") return { role, tool_call_id: pick(next, IDS), content: text };
    const content = whole(next, 3) === 0 ? [{ type: "text", text }] : text;
    if (role !== "assistant" || whole(next, 1) === 0) return { role, content };
    const tool_calls = ids(next).map((id) => ({ id, type: "function", function: { name: "read", arguments: "{}" } }));
    return { role, content: whole(next, 1) === 0 ? null : content, ...(tool_calls.length > 0 && { tool_calls }), ...(tool_calls.length === 0 && { content }) };
  }
  if (whole(next, 3) === 0 || role === "system") return { role, content: text };
  const block = { type: "text", text };
  if (role === "user") {
    const results = ids(next).map((tool_use_id) => ({ type: "tool_result", tool_use_id, content: pick<any>(next, [text, [{ type: "text", text }], [picture(next)]]) }));
    return { role, content: shuffled(next, [...results, ...(whole(next, 1) === 0 ? [block] : []), ...(whole(next, 4) === 0 ? [picture(next)] : [])]) };
  }
  const calls = ids(next).map((id) => ({ type: "tool_use", id, name: "read", input: {} }));
  const thought = { type: "thinking", thinking: prose(next, 6), signature: "of elsewhere" };
  return { role, content: [...(whole(next, 3) === 0 ? [thought] : []), ...(whole(next, 1) === 0 ? [block] : []), ...calls] };
}

const ids = (next: Next): string[] => Array.from({ length: whole(next, 2) }, () => pick(next, IDS));
const picture = (next: Next): object => ({ type: "image", source: { type: "base64", media_type: "image/png", data: png(8 + whole(next, 400), 64) } });

function shuffled<T>(next: Next, list: T[]): T[] {
  return whole(next, 2) > 0 ? list : list.map((item) => [next(), item] as const).sort(([one], [other]) => one - other).map(([, item]) => item);
}

const ROLES = { "openai-chat": ["user", "assistant", "tool", "assistant", "tool", "system"], anthropic: ["user", "assistant", "user", "assistant", "system"] };

function anyRequest(next: Next, model: string, format: WireFormat): any {
  const length = 1 + whole(next, 24);
  const messages = Array.from({ length }, (_, at) => anyMessage(next, format, at === 0 && whole(next, 4) > 0 ? "user" : pick(next, ROLES[format])));
  // A person speaks: a history without one has no task to keep.
  messages.push({ role: "user", content: "What now?" });
  return { model, max_tokens: 500, messages };
}

function judge(format: WireFormat, body: any, host: HostRules): string | undefined {
  try {
    if (format === "anthropic") checkAnthropic(body, { systemInside: takesSystem(body.model), foreignSignatures: true }, new Map());
    else checkOpenai(body, host);
    return undefined;
  } catch (error: any) {
    if (!error.refusal) throw error;
    return `${error.refusal.rule}: ${error.message}`;
  }
}

const ROUNDS = 1000;

type Host = [name: string, model: string, format: WireFormat, facts: object, host: HostRules];
const HOSTS: Host[] = [
  ["OpenAI", "gpt-4o", "openai-chat", {}, {}],
  ["A strict host", "gpt-4o", "openai-chat", { strict: true }, { systemFirst: true, alternate: true }],
  ["Anthropic", "claude-opus-4-8", "anthropic", {}, {}],
  ["Anthropic with an older model", "claude-haiku-4-5", "anthropic", {}, {}],
];

test.each(HOSTS)("%s takes what was mended, and what was compacted", (...host) => both(...host), 120_000);

async function both(...[, id, format, facts, host]: Host): Promise<void> {
  const next = random(11);
  const faults: object[] = [];
  let broken = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const request = anyRequest(next, id, format);
    const before = judge(format, request, host);
    if (before) broken++;
    const model = { id, window: 4000, ...facts };
    for (const [how, mend] of Object.entries({
      repair: () => repair(request, { format, model }),
      compact: () => compact(request, { format, model, force: true, onUnfit: "return" }),
    })) {
      let body;
      try {
        ({ body } = await mend());
      } catch (error) {
        // It may say that it cannot.
        if (error instanceof InvalidHistoryError) continue;
        throw error;
      }
      const fault = judge(format, body, host);
      if (fault) faults.push({ how, fault, size: JSON.stringify(request).length, before, request: request.messages, after: body.messages });
    }
  }
  faults.sort((one: any, other: any) => one.size - other.size);
  expect({ faults: faults.length, smallest: faults.slice(0, 1) }).toEqual({ faults: 0, smallest: [] });
  expect(broken).toBeGreaterThan(ROUNDS / 2);
}
