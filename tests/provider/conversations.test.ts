/** The harness itself: what it calls refused, lost, retried and unfit is so. */
import { describe, expect, test } from "vitest";
import { CLIENTS, converse, formatOf, generate, modelOf, sumOf, type ClientName } from "./conversations.js";
import { compactFirst, sliding } from "./fetches.js";
import { pictureIn } from "./pictures.js";

const WINDOW = 8000;
const compacted = (client: ClientName) => compactFirst(fetch, { model: modelOf(client, WINDOW) });
const withBody = (change: (body: any) => void): typeof fetch => async (input, init) => {
  const body = JSON.parse(init!.body as string);
  change(body);
  return fetch(input, { ...init, body: JSON.stringify(body) });
};

describe.each(CLIENTS)("%s", (client) => {
  const script = generate({ exchanges: 14, seed: 7 });

  test("runs into the wall with the plain fetch, and says so", async () => {
    const sum = sumOf(await converse(script, { client, window: WINDOW }));
    const { overflow = 0, output = 0, ...rest } = sum.refused;
    expect(rest).toEqual({});
    expect(overflow).toBeGreaterThan(5);
    expect(sum.answered).toBe(script.steps.length - overflow - output);
    expect(sum).toMatchObject({ turns: script.steps.length, lost: 0, retries: 0, breaks: 0 });
  });

  test.each([false, true])("is answered every time behind the package, streaming: %s", async (stream) => {
    const turns = await converse(script, { client, window: WINDOW, stream, fetch: compacted(client) });
    expect(turns.flatMap(({ refused }) => refused ?? [])).toEqual([]);
    expect(sumOf(turns)).toMatchObject({ answered: script.steps.length, lost: 0, refusals: {} });
    expect(turns.at(-1)!.requests[0]!.stream).toBe(stream);
  });

  test("a fetch that tears a call from its result is found out", async () => {
    const torn = withBody((body) => {
      const at = body.messages.findIndex(({ role, content }: any) => role === "tool" || (role === "user" && Array.isArray(content) && content[0]?.type === "tool_result"));
      if (at >= 0) body.messages.splice(at, 1);
    });
    const sum = sumOf(await converse(script, { client, window: 128_000, fetch: torn }));
    expect(Object.keys(sum.refused)).toEqual(["validity"]);
  });

  test("an answer that arrives changed is lost, and one that does not arrive is none", async () => {
    const changed: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      const text = await response.text();
      return new Response(text.replaceAll(/ the /g, " teh "), { status: response.status, headers: { "content-type": response.headers.get("content-type")! } });
    };
    const words = script.steps.filter(({ answer }) => / the /.test(JSON.stringify(answer))).length;
    expect(sumOf(await converse(script, { client, window: 128_000, fetch: changed })).lost).toBe(words);
    const cut = await converse(script, { client, window: 128_000, turns: 2, provider: { fault: () => ({ kind: "cut", events: 1 }) } });
    expect(cut.map(({ refused }) => [refused?.kind, refused?.rule])).toEqual(Array(2).fill(["fault", "not-received"]));
  });

  test("a retry is counted, and so is a refusal of the fetch's own", async () => {
    // Sends as it is first, and a second time cut.
    const again: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      return response.ok ? response : sliding(fetch, WINDOW)(input, init);
    };
    const sum = sumOf(await converse(script, { client, window: WINDOW, fetch: again }));
    expect(sum).toMatchObject({ answered: script.steps.length, lost: 0, retries: 1, refused: {} });
    expect(sum.refusals["overflow"]).toBeGreaterThan(5);
    expect(sum.breaks).toBeGreaterThan(2);
    const giant = generate({ exchanges: 6, seed: 7, giants: [2] });
    const turns = await converse(giant, { client, window: WINDOW, fetch: compacted(client) });
    const unfit = turns.filter(({ refused }) => refused);
    expect(unfit.length).toBeGreaterThan(0);
    for (const { refused, requests } of unfit) expect([refused!.kind, refused!.status, requests.length]).toEqual(["unfit", 400, 0]);
  });

  test("the thought that an answer began with goes back with it", async () => {
    if (formatOf(client) !== "anthropic") return;
    const thinking = generate({ exchanges: 14, seed: 7, thinking: true });
    const sum = sumOf(await converse(thinking, { client, window: WINDOW, fetch: compacted(client) }));
    expect(sum).toMatchObject({ answered: thinking.steps.length, lost: 0, refusals: {} });
    const thoughtless = withBody((body) => {
      for (const message of body.messages) if (Array.isArray(message.content)) message.content = message.content.filter(({ type }: any) => type !== "thinking");
    });
    const without = sumOf(await converse(thinking, { client, window: 128_000, fetch: thoughtless }));
    expect(Object.keys(without.refused)).toEqual(["validity"]);
  });
});

test("a script is the same for the same seed, and holds what it says", () => {
  const script = generate({ exchanges: 60, seed: 3 });
  expect(generate({ exchanges: 60, seed: 3 })).toEqual(script);
  expect(generate({ exchanges: 60, seed: 4 }).steps).not.toEqual(script.steps);
  const items = script.steps.flatMap(({ add }) => add);
  const parts = items.flatMap((item) => (item.role === "user" ? item.parts : item.role === "results" ? item.results.flatMap((result) => result.parts) : []));
  const pictures = parts.flatMap((part) => (part.type === "picture" ? [pictureIn(Buffer.from(part.data, "base64"))!.media] : []));
  expect(items.filter(({ role }) => role === "user")).toHaveLength(60);
  expect(pictures.length).toBeGreaterThan(8);
  expect(new Set(pictures)).toEqual(new Set(["image/png"]));
  expect(script.steps.filter(({ answer }) => (answer.calls?.length ?? 0) > 1).length).toBeGreaterThan(10);
});
