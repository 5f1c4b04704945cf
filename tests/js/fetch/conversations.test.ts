/** Whole conversations with the strict provider, through real clients whose `fetch` is wrapped. */
import { describe, expect, test } from "vitest";
import { withCompaction, type FetchOptions } from "../../../pkg/fetch.js";
import { CLIENTS, converse, generate, sumOf, type ClientName, type Setup, type Sum } from "../../provider/conversations.js";

const script = generate({ exchanges: 60, seed: 7 });

async function had(client: ClientName, options: FetchOptions, setup: Partial<Setup> = {}): Promise<Sum> {
  const turns = await converse(script, { client, window: 8000, fetch: withCompaction(fetch, options), ...setup });
  return sumOf(turns);
}

describe.each(CLIENTS)("%s", (client) => {
  test.each([false, true])("no request is refused for validity, no answer lost; the window is learnt from the first refusal; streamed: %s", async (stream) => {
    const sum = await had(client, {}, { stream });
    console.log(client, stream, sum);
    expect(sum).toMatchObject({ lost: 0, refused: {} });
    expect(sum.refusals["validity"]).toBeUndefined();
  });
});
