/**
 * Long conversations and recorded sessions, turn by turn, through one client: what the strict provider must never have to refuse.
 * PALIMPSEST_REPLAY=all has them whole; without it every client meets every window in both kinds, but shorter.
 */
import { afterAll, describe, expect, test } from "vitest";
import { converse, formatOf, generate, modelOf, sessions, sumOf, type ClientName, type Script, type Turn } from "./conversations.js";
import { withCompaction } from "../../pkg/fetch.js";

/** The `fetch` under test. */
const wrapped = (client: ClientName, window: number): typeof fetch => withCompaction(fetch, { model: modelOf(client, window) });

const WINDOWS = [8000, 32_000];
/** What a turn costs grows with its conversation. Shorter ones still meet the wall of the larger window. */
const whole = process.env["PALIMPSEST_REPLAY"] === "all";
const EXCHANGES = whole ? 400 : 100;
/** Of a recorded session. */
const TURNS = whole ? Infinity : 40;
/** Milliseconds. Three minutes is the longest on two idle cores: the AI SDK checks the whole history in every turn. */
const PATIENCE = 20 * 60_000;

export async function replay(client: ClientName): Promise<void> {
  const recorded = await sessions(formatOf(client) === "anthropic" ? "a-claude-code" : "f-openai-chat");
  const lines: string[] = [];
  afterAll(() => console.log(lines.join("\n")));

  const have = async (script: Script, window: number, limit: number): Promise<Turn[]> => {
    const turns = await converse(script, { client, window, fetch: wrapped(client, window), turns: limit });
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
    test(`${EXCHANGES} exchanges`, async () => {
      const turns = await have(generate({ exchanges: EXCHANGES, seed: 1 }), window, Infinity);
      // Nothing in it is larger than the smallest window.
      expect(turns.every(({ answered }) => answered)).toBe(true);
      // It went beyond the window, so something was given up on the way.
      expect(sumOf(turns).breaks).toBeGreaterThan(0);
      tell(`${EXCHANGES} exchanges at ${window}`, turns);
    }, PATIENCE);

    test.skipIf(recorded.length === 0)("recorded sessions", async () => {
      const turns: Turn[] = [];
      for (const script of recorded) turns.push(...(await have(script, window, TURNS)));
      tell(`${recorded.length} recorded sessions at ${window}`, turns);
    }, PATIENCE);
  });
}

/** What cannot fit is refused before it is sent, and the part that is too large is named. */
function named({ kind, message }: NonNullable<Turn["refused"]>): boolean {
  return kind === "unfit" && /The largest part is .+ with [\d,]+ tokens/.test(message);
}
