// What every consumer does: makes the requests fit, and is refused once. The answer is text, to be compared byte for byte.
import { requests } from "./requests.mjs";

/** Takes what the consumer imported, for how it imports is what a consumer is about. */
export async function job({ check, compact, UnsupportedFormatError }) {
  const done = [];
  for (const { body, options } of requests) {
    const result = await compact(body, options);
    const { before, after, fits } = result.report;
    done.push({ body: JSON.stringify(result.body), before, after, fits, broken: await check(result.body) });
  }
  const refused = await compact({ prompt: "no messages here" }).catch((error) => ({
    itsClass: error instanceof UnsupportedFormatError,
    name: error.name,
    code: error.code,
    message: error.message,
  }));
  return JSON.stringify({ done, refused });
}
