/** Never run: what must compile does, what must not does not. `types.test.ts` asks the compiler. */
import { calibrate, type Calibration, CannotFitError, check, compact, type CompactOptions, type ErrorCode, imageCost, init, type Measure, measure, modelFacts, models, overflow, pages, PalimpsestError, type PageOptions, type PageSet, type ReaderProfile, repair, trim, UnrenderableError } from "../../pkg/index.js";
import { type FetchOptions, toResponse, withCompaction } from "../../pkg/fetch.js";
import { probeReader } from "../../pkg/probe.js";

declare const bytes: Uint8Array<ArrayBuffer>;
declare const compiled: WebAssembly.Module;

interface Params {
  model: "gpt-4o" | "gpt-5";
  messages: { role: "user" | "assistant"; content: string }[];
}
declare const params: Params;

export async function compiles(): Promise<void> {
  // A request comes back in its own type, an array as an array.
  const one: Params = (await compact(params)).body;
  const list: Params["messages"] = (await trim(params.messages, { messages: 3 }, { model: "gpt-5" })).body;
  const mended: Params = (await repair(params, { format: "openai-chat" })).body;
  const violations: string[] = (await check(one)).map(({ rule }) => rule);

  const figures: Measure = await measure(mended, { model: { id: "mine", window: 32_000 }, countTokens: (text) => text.length });
  const sum: number = figures.parts.system + figures.parts.results;
  await measure(list, { model: { modelId: "from-the-ai-sdk" }, system: "You help.", tools: [] });

  const options: CompactOptions = { rungs: ["elide", "window"], elide: { placeholder: ({ ref, tool }) => `${tool}: ${ref}` }, signal: new AbortController().signal };
  await compact(params, options);

  const { price, images } = await modelFacts("gpt-5");
  const input: number | undefined = price?.input;
  if (images.kind === "tiles") images.perTile.toFixed();
  // Whatever is told of a rule can be said of one's own.
  await measure(list, { model: { id: "mine", window: 32_000, images: { kind: "patches", patch: 28, resize: "grid" } } });
  await measure(list, { model: { id: "mine", window: 32_000, images: { kind: "tiles", tile: 768, base: 0, perTile: 258, minTile: 256, whole: 384 } } });
  const ids: string[] = (await models()).map(({ id }) => id);
  const { tokens } = await imageCost("gpt-5", 1024, 768);

  await init();
  for (const source of [bytes, compiled, new URL("https://example.org"), "/core_bg.wasm", new Response()]) await init(source);

  // Of a report or a measure, with usage of any provider's type; what comes back goes in again.
  let learnt: Calibration | undefined;
  learnt = await calibrate(learnt, figures, { prompt_tokens: 5 });
  learnt = await calibrate(learnt, (await compact(params, { calibration: learnt })).report, 1200);
  await measure(params, { calibration: { factor: 1.2, samples: 3, model: "gpt-5" } });
  const told = await overflow(new Response());
  if (told?.kind === "output" && told.limit !== undefined) told.limit.toFixed();

  // A fetch comes back in its own type; options are those of `compact` and some more, or chosen by request.
  const typed: typeof fetch = withCompaction(fetch, { ...options, summarize: "same-model", retries: 1, onAnswer: ({ message, usage }) => void [message, usage] });
  const odd: (url: string) => Promise<{ text(): string }> = withCompaction(async (url: string) => ({ text: () => url }));
  const chosen: FetchOptions = { onCompact: ({ rungs }) => void rungs.length };
  withCompaction(typed, ({ url, headers, body, format }) => (format === "anthropic" && headers.has(url) && body.stream ? false : chosen));
  const refusal: Response = toResponse(new Error("no"), "anthropic");
  await Promise.all([odd("x"), refusal.text()]);

  // Of a text or a request; what a page is told with goes into a provider's block, what the probe found into the options of pages.
  const drawn: PageSet = await pages("text", { model: "gpt-5", density: "dense", onProgress: (done, total) => done / total });
  const how: PageOptions = { fonts: [bytes], shape: { ...drawn.shape, width: 768 }, maxPages: 3, signal: new AbortController().signal };
  for (const { png, detail } of (await pages(params, how)).pages) await new Blob([png as Uint8Array<ArrayBuffer>, detail ?? ""]).text();
  const profile: ReaderProfile = await probeReader(async ([page], prompt) => `${page?.length} ${prompt}`, { model: { id: "mine", window: 32_000 } });
  const record = (await compact(params, { pages: { ...how, profile } })).report.records[0];
  if (record?.shape) record.shape.font.toUpperCase();

  try {
    await compact(params);
  } catch (error) {
    if (error instanceof CannotFitError) error.report.rungs.map(({ code }) => code);
    if (error instanceof UnrenderableError) error.letters.length satisfies number;
    if (error instanceof PalimpsestError) error.code satisfies ErrorCode;
  }
  void [violations, sum, input, ids, tokens];
}

export async function doesNotCompile(): Promise<void> {
  // @ts-expect-error a request is an object
  await compact("text");
  // @ts-expect-error a rung that does not exist
  await compact(params, { rungs: ["shrink"] });
  // @ts-expect-error a format that does not exist
  await check(params, { format: "openai" });
  // @ts-expect-error facts need an id
  await measure(params, { model: { window: 1000 } });
  // @ts-expect-error a limit must be given
  await trim(params);
  // @ts-expect-error limits are numbers
  await trim(params, { tokens: "16k" });
  // @ts-expect-error a tokenizer answers at once
  await measure(params, { countTokens: async (text: string) => text.length });
  // @ts-expect-error check prices nothing
  await check(params, { reserveOutput: 1000 });
  // @ts-expect-error a number of tries
  withCompaction(fetch, { retries: "2" });
  // @ts-expect-error the only word for it
  withCompaction(fetch, { summarize: "another-model" });
  // @ts-expect-error what it wraps answers later
  withCompaction(() => new Response());
  // @ts-expect-error a format that does not exist
  toResponse(new Error("no"), "smoke-signals");
  // @ts-expect-error an answer that must be awaited
  (await measure(params)).tokens = compact(params).report;
  // @ts-expect-error the type of the request does not change
  const other: { model: "claude" } = (await compact(params)).body;
  // @ts-expect-error no report, no calibration
  await calibrate(undefined, 1200);
  // @ts-expect-error usage is a number or an object
  await calibrate(undefined, await measure(params), "1200");
  // @ts-expect-error it may be none
  (await overflow("text")).kind;
  // @ts-expect-error kinds are known
  if ((await overflow("text"))?.kind === "rate-limit") return;
  // @ts-expect-error a density that does not exist
  await pages("text", { density: "denser" });
  // @ts-expect-error fonts are bytes
  await pages("text", { fonts: ["JetBrains Mono"] });
  // @ts-expect-error it may be looked at in several ways
  (await pages("text")).pages[0]?.detail.length;
  // @ts-expect-error a number of tries
  withCompaction(fetch, { retries: "2" });
  // @ts-expect-error the only word for it
  withCompaction(fetch, { summarize: "another-model" });
  // @ts-expect-error what it wraps answers later
  withCompaction(() => new Response());
  // @ts-expect-error a format that does not exist
  toResponse(new Error("no"), "smoke-signals");
  // @ts-expect-error an answer that must be awaited
  await probeReader(() => "no promise", { model: "gpt-5" });
  // @ts-expect-error whom is asked must be said
  await probeReader(async () => "");
  // @ts-expect-error codes are known
  const code: ErrorCode = "too-large";
  // @ts-expect-error a code cannot be changed
  new PalimpsestError("internal", "x").code = "option";
  void [other, code];
}
