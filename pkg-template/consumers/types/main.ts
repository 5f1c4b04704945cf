// Must compile. What must not is marked, and the compiler says so when it does.
import { CannotFitError, check, compact, init, measure, type Compacted, type CompactOptions, type Report } from "palimpsest";
import { repair } from "palimpsest/inline";
import { probeReader, type ReaderProfile } from "palimpsest/probe";

const request = { model: "gpt-4o", messages: [{ role: "user", content: "hello" }] };
const options: CompactOptions = { model: { id: "mine", window: 16_000 }, threshold: 0.9, countTokens: (text) => text.length };

const compacted: Compacted<typeof request> = await compact(request, options);
const role: string | undefined = compacted.body.messages[0]?.role;
const list: typeof request.messages = (await compact(request.messages)).body;
const gauge: number = (await measure(request)).fill;
const rules: string[] = (await check(request)).map((violation) => violation.rule);
const mended: typeof request = (await repair(request)).body;
const profile: ReaderProfile = await probeReader(async (images, prompt) => `${images.length} ${prompt}`, { model: "mine" });
await compact(request, { pages: { profile } });
await init(new URL("https://example.org/core_bg.wasm"));

export function reportOf(error: unknown): Report | undefined {
  return error instanceof CannotFitError ? error.report : undefined;
}

// @ts-expect-error a threshold is a number
await compact(request, { threshold: "0.9" });
// @ts-expect-error there is no such rung
await compact(request, { rungs: ["forget"] });

export { gauge, list, mended, role, rules };
