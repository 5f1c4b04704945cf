/** Whole conversations with the strict provider, through real clients whose `fetch` is wrapped. */
import { encode } from "gpt-tokenizer";
import { describe, expect, test } from "vitest";
import { withCompaction, type Answer, type FetchOptions } from "../../../pkg/fetch.js";
import { CLIENTS, converse, generate, modelOf, sumOf, type ClientName, type Setup, type Turn } from "../../provider/conversations.js";
import { sliding } from "../../provider/fetches.js";

const script = generate({ exchanges: 50, seed: 7 });

function had(client: ClientName, window: number, options: FetchOptions, setup: Partial<Setup> = {}): Promise<Turn[]> {
  return converse(script, { client, window, fetch: withCompaction(fetch, options), ...setup });
}

/** Half of what it is. */
const spoiled = (text: string): number => Math.round(encode(text).length / 2);

describe.each(CLIENTS)("%s", (client) => {
  test.each([false, true])("a window that nobody told: learnt from the first refusal, no answer lost, none invalid; streamed: %s", async (stream) => {
    let answers = 0;
    const options = { onAnswer: ({ message }: Answer) => void (answers += message ? 1 : 0) };
    const sum = sumOf(await had(client, 8000, options, { stream }));
    expect(sum).toMatchObject({ answered: sum.turns, lost: 0, refused: {} });
    expect(Object.keys(sum.refusals).filter((kind) => kind !== "overflow" && kind !== "output")).toEqual([]);
    expect(Object.values(sum.refusals)).toEqual([1]);
    expect(answers).toBe(sum.turns);
  });

  test("an estimate that is half of the truth is right after the first answers", async () => {
    const turns = await had(client, 8000, { model: modelOf(client, 8000), countTokens: spoiled });
    const sum = sumOf(turns);
    expect(sum).toMatchObject({ answered: sum.turns, lost: 0, refused: {} });
    expect(sum.retries).toBeLessThanOrEqual(2);
    expect(sum.lastRetry).toBeLessThanOrEqual(5);
  });
});

test.each(["openai", "anthropic"] as const)("%s: a spoiled estimate taken up in the middle of a conversation is mended within two recoveries", async (client) => {
  // The first hundred turns went without us, at a host that took it all.
  let count = 0;
  const wrapped = withCompaction(fetch, { model: modelOf(client, 8000), countTokens: spoiled });
  const late: typeof fetch = (...args) => (count++ < 60 ? sliding(fetch, 8000)(...args) : wrapped(...args));
  const sum = sumOf((await converse(script, { client, window: 8000, fetch: late })).slice(60));
  expect(sum).toMatchObject({ answered: sum.turns, lost: 0, refused: {} });
  expect(sum.retries).toBeLessThanOrEqual(2);
  expect(sum.lastRetry).toBeLessThanOrEqual(65);
});

test.each(["openai", "anthropic"] as const)("%s: between compactions requests share their beginning, far more than with a sliding window", async (client) => {
  const long = generate({ exchanges: 110, seed: 3 });
  const cached = async (fetch: typeof globalThis.fetch): Promise<number> => {
    const sum = sumOf(await converse(long, { client, window: 32_000, turns: 200, fetch }));
    expect(sum).toMatchObject({ turns: 200, answered: 200, lost: 0, refused: {} });
    return sum.cached / sum.input;
  };
  const ours = await cached(withCompaction(fetch, { model: modelOf(client, 32_000) }));
  const plain = await cached(sliding(fetch, 32_000));
  console.log(`${client}: ${(100 * ours).toFixed(1)} % of input tokens cached, with a sliding window ${(100 * plain).toFixed(1)} %`);
  expect(ours).toBeGreaterThanOrEqual(0.9);
  expect(ours).toBeGreaterThan(plain);
});
