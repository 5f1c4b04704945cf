/** Long conversations and recorded sessions, turn by turn, through one client: what the strict provider must never have to refuse. */
import { afterAll, describe, expect, test } from "vitest";
import { converse, formatOf, generate, modelOf, sessions, sumOf, type ClientName, type Script, type Turn } from "./conversations.js";
import { compactFirst } from "./fetches.js";

/** The `fetch` under test. */
const wrapped = (client: ClientName, window: number): typeof fetch => compactFirst(fetch, { model: modelOf(client, window) });

const WINDOWS = [8000, 32_000];
/** Milliseconds. Three minutes is the longest on two idle cores: the AI SDK checks the whole history in every turn. */
const PATIENCE = 20 * 60_000;

export async function replay(client: ClientName): Promise<void> {
  const recorded = await sessions(formatOf(client) === "anthropic" ? "a-claude-code" : "f-openai-chat");
  const lines: string[] = [];
  afterAll(() => console.log(lines.join("\n")));

  const have = async (script: Script, window: number): Promise<Turn[]> => {
    const turns = await converse(script, { client, window, fetch: wrapped(client, window) });
    const bad = turns.filter(({ lost, refused }) => lost || (refused && !named(refused)));
    expect(bad.map(({ turn, lost, refused }) => ({ script: script.name, turn, lost, refused }))).toEqual([]);
    expect(sumOf(turns).refusals["validity"]).toBeUndefined();
    return turns;
  };
  const tell = (what: string, turns: Turn[]): void => {
    const { answered, refused, refusals, retries, breaks, input, cached } = sumOf(turns);
    const share = ((100 * cached) / input).toFixed(1);
    lines.push(`${client}, ${what}: ${answered} of ${turns.length} turns answered, ${refused["unfit"] ?? 0} cannot fit, refused ${JSON.stringify(refusals)}, at most ${retries} retries, ${breaks} new beginnings, ${share} % of ${input} tokens from the cache`);
  };

  describe.each(WINDOWS)("at %i", (window) => {
    test("400 exchanges", async () => {
      const turns = await have(generate({ exchanges: 400, seed: 1 }), window);
      // Nothing in it is larger than the smallest window.
      expect(turns.every(({ answered }) => answered)).toBe(true);
      tell(`400 exchanges at ${window}`, turns);
    }, PATIENCE);

    test.skipIf(recorded.length === 0)("recorded sessions", async () => {
      const turns: Turn[] = [];
      for (const script of recorded) turns.push(...(await have(script, window)));
      tell(`${recorded.length} recorded sessions at ${window}`, turns);
    }, PATIENCE);
  });
}

/** What cannot fit is refused before it is sent, and the part that is too large is named. */
function named({ kind, message }: NonNullable<Turn["refused"]>): boolean {
  return kind === "unfit" && /The largest part is .+ with [\d,]+ tokens/.test(message);
}
