/** The shapes of the public contract: requests, options, reports, models. */

/** Wire formats. "openai-chat" and "anthropic" are read and written in this version; the others are named and refused. */
export type Format =
  | "openai-chat"
  | "openai-responses"
  | "anthropic"
  | "gemini"
  | "ai-sdk-model"
  | "ai-sdk-ui";

/** A model by its id as the route names it (`openrouter/anthropic/claude-…` works), by facts of your own (what they leave out is taken
 *  from the known model of that id, else from cautious defaults), or as an AI SDK model object (its `modelId`). */
export type Model = string | (Partial<ModelFacts> & { id: string }) | { modelId: string };

/** What every function needs to know about where a request is going. */
export interface ModelOptions {
  /** Default: the request's own `model`. Bare arrays have none, so there it must be given. */
  model?: Model;
  /** Default: told from the request. */
  format?: Format;
  /** With a bare array of messages: the system prompt that is sent beside it. */
  system?: unknown;
  /** With a bare array of messages: the tools that are sent beside it. */
  tools?: unknown;
  /** Tokens kept free for the answer. Default: the request's own output limit, else the model's, at most a quarter of the window. */
  reserveOutput?: number;
  /** An exact tokenizer: tokens of a text. Asked about whole texts of the caller only; one that throws is not used for that text.
   *  Default: the built-in estimator. */
  countTokens?: (text: string) => number;
  /** A provider's own counting endpoint: tokens of a whole request. Asked at most once before and once after. */
  countRequest?: (request: any) => Promise<number>;
  /** What earlier calls of this model really cost; see `calibrate`. */
  calibration?: Calibration;
}

/** How far, by which means and at which price `compact` shrinks. */
export interface CompactOptions extends ModelOptions {
  /** "ladder" runs `rungs` in order; "accept" never changes history; "recall" is refused in this version. Default "ladder". */
  strategy?: "ladder" | "recall" | "accept";
  /** Cheapest first, an order that is kept. Default: all. One that cannot run is skipped, and the report says why. */
  rungs?: Rung[];
  /** Fraction of the window, 0 to 1, at which it acts, or window − reserve where that is less. Default 0.8. */
  threshold?: number;
  /** How far down it goes, on the same scale, below `threshold`. Default 0.5. */
  target?: number;
  /** Exchanges (a person's message and all up to the next) kept at the end. Default 5. */
  keepExchanges?: number;
  /** Messages kept word for word at the start, system messages not counted. Default: up to and with the first person's message. */
  keepHead?: number;
  /** Act now, whatever the fill. Default false. */
  force?: boolean;
  /** What to do when every rung ran and it still does not fit: reject with CannotFitError, or return it as it is. Default "throw". */
  onUnfit?: "throw" | "return";
  /** What the summary should care about. */
  focus?: string;
  /** Sends `request.body` with any client and returns its answer. Without it the summary rung is skipped. */
  summarize?: (request: SummaryRequest) => Promise<string | object>;
  /** The model that writes the summary, when it is another. */
  summaryModel?: Model;
  /** Where summaries made for a stateless caller are remembered. */
  memo?: Memo;
  /** Vectors of texts, for strategy "recall": not asked in this version. */
  embed?: (texts: string[]) => Promise<Float32Array[]>;
  /** `keepResults`: newest tool results never elided, default 5. `minTokens`: smaller results are left, default 100. `exclude`: tools
   *  whose results stay. `placeholder`: the line that stands for an elided result. */
  elide?: { keepResults?: number; minTokens?: number; exclude?: string[]; placeholder?: (e: Elided) => string };
  /** `keep`: newest pictures that stay. */
  images?: { keep?: number };
  /** How pages are drawn, for the rung "snapshot". */
  pages?: PageOptions;
  /** Limits of the request besides the model's window: tokens, bytes of its JSON, pictures. Default: the provider's. */
  limits?: { tokens?: number; bytes?: number; images?: number };
  /** Whether the provider's prompt cache is warm, when you know. Nothing is decided by it in this version. */
  cacheWarm?: boolean;
  /** Aborts the call, which then rejects with `signal.reason`. */
  signal?: AbortSignal;
  /** Told of each rung that ran: `done` and `total` count what it gave up; of "snapshot" each page as it is drawn, of all pages. */
  onProgress?: (p: { rung: Rung; done: number; total: number }) => void;
}

/** A way to shrink a request, from the cheapest to the dearest. */
export type Rung = "elide" | "images" | "snapshot" | "summary" | "window";

/** Why a rung ran or did not. Codes are stable. */
export type RungCode =
  | "ran"
  | "not-needed"
  | "nothing-to-do"
  | "would-not-shrink"
  | "cache-worth-more"
  | "no-vision"
  | "unmeasured-reader"
  | "unrenderable"
  | "page-limit"
  | "no-summarizer"
  | "summary-rejected"
  | "summary-failed"
  | "aborted";

/** A request that fits, in the type in which it came, and what was done to it. */
export interface Compacted<B extends object = any> {
  body: B;
  report: Report;
}

/** What `compact` or `trim` did, and why. */
export interface Report {
  /** The wire format the request was read as. */
  format: Format;
  /** The id under which the model is known. */
  model: string;
  /** Tokens the model can take in and give out together. */
  window: number;
  /** Tokens at which it acts. */
  thresholdTokens: number;
  /** Tokens at which it stops. */
  targetTokens: number;
  before: Count;
  after: Count;
  /** Tokens of `after` as the estimator alone counts them, before any calibration: what `calibrate` compares with usage. */
  estimated: number;
  /** True when `after` fits window − reserve. */
  fits: boolean;
  /** One entry a rung, run or skipped; `before` and `after` in tokens. The core runs all rungs in one step: the first that ran carries
   *  the milliseconds of the whole call in `ms`, the others 0. */
  rungs: { rung: Rung; ran: boolean; code: RungCode; reason: string; before: number; after: number; items: number; ms: number }[];
  repairs: Repair[];
  /** What was laid over which range. */
  records: CompactionRecord[];
}

/** The size of a request: tokens of the model, bytes of its JSON, messages and pictures in it. */
export interface Count {
  tokens: number;
  bytes: number;
  messages: number;
  images: number;
}

/** The figures behind a gauge. */
export interface Measure extends Count {
  /** The wire format the request was read as. */
  format: Format;
  /** The id under which the model is known. */
  model: string;
  /** Tokens the model can take in and give out together. */
  window: number;
  /** Tokens kept free for the answer. */
  reserve: number;
  /** Tokens still to be used: window − reserve − tokens, never below 0. */
  free: number;
  /** tokens ÷ window. */
  fill: number;
  /** Tokens at which `compact` would act. */
  thresholdTokens: number;
  /** `tokens` as the estimator alone counts them, before any calibration: what `calibrate` compares with usage. */
  estimated: number;
  /** Tokens by what they are spent on. Sums to `tokens`. */
  parts: {
    system: number;
    tools: number;
    text: number;
    reasoning: number;
    calls: number;
    results: number;
    images: number;
    pages: number;
    summary: number;
    overhead: number;
  };
  /** The dearest parts: message index, part within it, tokens, and what it is in words. */
  largest: { index: number; part: number; tokens: number; what: string }[];
}

/** A rule of the format that the history breaks. `index`: the message, −1 for the request around them. */
export interface Violation {
  /** The rule's id; stable. */
  rule: string;
  index: number;
  message: string;
  /** How the provider would refuse it, in its own words. */
  providerMessage?: string;
}

/** What was mended where. `index`: the message of the input. */
export interface Repair {
  kind: RepairKind;
  index: number;
  message: string;
}

/** Kinds of repairs. Stable. */
export type RepairKind =
  | "orphan-result"
  | "unanswered-call"
  | "duplicate-result"
  | "split-results"
  | "result-order"
  | "empty-content"
  | "first-role"
  | "role-order"
  | "orphan-reasoning"
  | "missing-id"
  | "duplicate-call"
  | "image-role"
  | "system-position"
  | "system-role";

/** A tool result that was elided. `ref` names its words; `tokens` and `chars` (code points) are its size before. */
export interface Elided {
  ref: string;
  tool: string;
  tokens: number;
  chars: number;
}

/** What was laid over a range of the history. */
export interface CompactionRecord {
  id: string;
  rung: Rung;
  /** Message indexes of the input, both ends inclusive. */
  from: string | number;
  to: string | number;
  /** The summary's words, for "summary". */
  summary?: Summary;
  /** References of what was elided, for "elide". */
  items?: string[];
  /** How the pages were laid out, for "snapshot". */
  shape?: PageShape;
  /** Tokens. */
  before: number;
  after: number;
  model: string;
  /** Milliseconds since 1970, set by the host that keeps the record. */
  at?: number;
}

/** What is known of a model. */
export interface ModelFacts {
  id: string;
  /** Tokens the model can take in and give out together. */
  window: number;
  /** Tokens it can give out at most. */
  maxOutput: number;
  /** Whether it reads pictures. */
  vision: boolean;
  /** Which table the estimator uses. */
  tokenizer: "o200k" | "cl100k" | "claude" | "gemini" | "llama" | "qwen" | "deepseek" | "mistral" | "other";
  /** How the provider bills and resizes a picture. */
  images: ImageRule;
  /** US dollars a million tokens. */
  price?: { input: number; output: number; cacheRead?: number; cacheWrite?: number };
  /** The host wants user and assistant to take turns and the system at the beginning only (vLLM, llama.cpp and others, by their chat
   *  templates). Left out unless the caller says so. */
  strict?: boolean;
}

/** How a provider turns a picture's width and height (pixels) into tokens. `resize`: to the largest size within the limits (default), or so that
 *  one side is a whole number of squares. `minTile`: a tile's side is two thirds of the shorter side, from this to `tile`; `whole`: a picture
 *  with both sides up to this is one tile. */
export type ImageRule =
  | { kind: "patches"; patch: number; maxEdge?: number; maxTokens?: number; multiplier?: number; rowBreaks?: boolean; extra?: number; resize?: "search" | "grid" }
  | { kind: "tiles"; tile: number; base: number; perTile: number; fitEdge?: number; fitShort?: number; maxTiles?: number; minTile?: number; whole?: number }
  | { kind: "flat"; tokens: number; maxEdge?: number; maxPixels?: number }
  | { kind: "area"; pixelsPerToken: number; base: number; min: number; max: number; maxPixels?: number };

/** Correction of the estimator, learnt from what a provider reported (`calibrate`). Plain data: store it where you like. */
export interface Calibration {
  /** Reported ÷ estimated tokens, 0.5 to 3. */
  factor: number;
  /** Reports it was learnt from. */
  samples: number;
  /** The model it holds for; requests to another one do without. */
  model: string;
  /** Layout of this data, for what is stored. Default 1. */
  version?: number;
}

/** A request that was refused because it was too large. */
export interface Overflow {
  /** What was too large. "tokens": the input. "bytes": the request as it is sent, or a status 413 without words; give up pictures.
   *  "images": their number, or one of them. "output": the answer that was asked for beside an input that fits; ask for a shorter one. */
  kind: "tokens" | "bytes" | "images" | "output";
  /** The most that may be sent, if it was told: tokens of the window, bytes, or pictures. */
  limit?: number;
  /** What was sent, in the same unit. For "output" the input alone: `limit - actual` is left for the answer. */
  actual?: number;
  /** Whose words these are, when only one provider speaks so. */
  provider?: string;
  /** The provider's words, at most 1,000 letters of them. */
  message: string;
}

/** How a page is laid out; pixels, and cells of one letter each. */
export interface PageShape {
  /** "8x13", "6x12", "6x10", "5x8" and "5x7" are built in; an outline font goes by its own name and pixel size, "JetBrains Mono 14". */
  font: string;
  /** Pixels from one letter to the next. */
  cellWidth: number;
  /** Pixels from one row to the next. */
  cellHeight: number;
  /** Pixels of a full page; the last one is only as high as its text. */
  width: number;
  height: number;
  /** Letters in a row, rows in a page. */
  columns: number;
  rows: number;
}

/** How pages are drawn. */
export interface PageOptions {
  /** Who reads. Default: the request's own model; for a text a reader nobody measured. */
  model?: Model;
  /** Overrides the shape planned for the model. */
  shape?: Partial<PageShape>;
  /** What `probeReader` found; one of another model is not used. */
  profile?: ReaderProfile;
  /** "safe" reads exactly, "dense" packs more and leans on the exact strings beside the pages. Default "safe". */
  density?: "safe" | "dense";
  /** Most pages; the oldest beyond it are left out. */
  maxPages?: number;
  /** TrueType or OpenType fonts for letters that the built-in face lacks, tried in order. */
  fonts?: Uint8Array[];
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

/** One page. Sizes in pixels. */
export interface Page {
  /** The file, greyscale of 1 bit (4 where an outline font is smoothed). */
  png: Uint8Array;
  width: number;
  height: number;
  /** Letters (code points) of the transcript that stand on it. */
  chars: number;
  /** What the model is billed for it. */
  tokens: number;
  /** What OpenAI's formats must send it with. */
  detail?: "low" | "high" | "original";
}

/** What `pages` drew. */
export interface PageSet {
  pages: Page[];
  /** Of a full page. */
  shape: PageShape;
  /** Exact strings (paths, ids, hashes, URLs, numbers) that travel as text beside the pages, in order of first occurrence. */
  facts: string[];
  /** Of the pages and the facts. */
  tokens: number;
  /** Of the same as text. */
  textTokens: number;
  /** Share of letters that no font here draws, from 0 to 0.05. */
  unrenderable: number;
}

/** What a model was measured to read without a fault. `exact`: share of letters, 0 to 1. */
export interface ReaderProfile {
  model: string;
  shape: PageShape;
  exact: number;
}

/** What the summary rung asks to be sent. */
export interface SummaryRequest {
  /** Ready to send in the caller's format. */
  body: any;
  /** The same as plain text. */
  prompt: string;
  previous?: Summary;
  /** Strings that must come back word for word. */
  references: string[];
  part: number;
  parts: number;
  signal?: AbortSignal;
}

/** What a summary holds. */
export interface Summary {
  decisions: string[];
  questions: string[];
  actions: { text: string; done: boolean }[];
  context: string[];
  references: string[];
  markdown: string;
  generation: number;
}

/** Where summaries are remembered; Workers KV fits. */
export interface Memo {
  get(key: string): Promise<string | null | undefined>;
  put(key: string, value: string, options?: any): Promise<unknown>;
}
