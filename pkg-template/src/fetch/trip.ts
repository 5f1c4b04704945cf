/** One request on its way: made to fit, sent, and after an overflow changed and sent again. */
import { OptionError, PalimpsestError } from "../errors.js";
import { attempt } from "../glance.js";
import { init } from "../load.js";
import { modelFacts } from "../models.js";
import { compact, measure } from "../requests.js";
import type { CompactOptions, Memo, Overflow, Report } from "../types.js";
import { judge, type Verdict } from "./judge.js";
import { idOf, type Memory, windowOf, withWindow } from "./memory.js";
import type { Once } from "./once.js";
import { type FetchOptions, RETRIES } from "./options.js";
import { type Change, nextAfter, type Pass, type Sent } from "./recover.js";
import type { Asked } from "./recognise.js";
import { resent, withSignal } from "./resend.js";
import { tooLong, toResponse } from "./response.js";
import { ownOf, sameModel } from "./summarise.js";
import type { Body, Said } from "./wires/wire.js";

/** What one wrapper has of its own, for all its requests. */
export interface Own {
  memory: Memory;
  memo: Memo;
  once: Once;
}

/** A request as it is sent. */
interface Made {
  body: Body;
  /** It is not what the caller gave. */
  changed: boolean;
  /** `undefined` when it is none of those that can be compacted: a model nobody knows, a history nobody can mend. */
  report: Report | undefined;
}

/** Errors with which a request goes as it is: the provider judges it. */
const ALONE = ["unknown-model", "unsupported-format", "invalid-history", "internal"];

export class Trip {
  /** As it was named, by whom it could be. */
  readonly #model: FetchOptions["model"];
  readonly #key: string;
  readonly #signal: AbortSignal | undefined;
  /** What recoveries of this request have set. */
  #set: { output?: number; reserve?: number; tokens?: number } = {};

  constructor(
    readonly fetch: (...args: any[]) => Promise<any>,
    readonly asked: Asked,
    readonly body: Body,
    readonly options: FetchOptions,
    readonly own: Own,
  ) {
    this.#model = options.model ?? body["model"] ?? asked.deployment;
    this.#key = `${asked.url.host} ${idOf(this.#model)}`;
    const signals = [asked.signal, options.signal].filter((signal) => signal !== undefined);
    this.#signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
  }

  async run(): Promise<Response> {
    const first = await this.#first();
    if (first instanceof Response) return first;
    const { retries = RETRIES } = this.options;
    let made = first;
    for (let tried = 0; ; tried++) {
      const verdict = await judge(await this.#send(made), this.#case(made));
      if (!verdict.overflow) return verdict.response;
      // What it tells is learnt also where nothing is sent again.
      const change = await this.#learnt(verdict.overflow, made, tried);
      const next = change && tried < retries ? await this.#changed(change, made, verdict.overflow) : undefined;
      if (next === undefined) return this.#refused(verdict, verdict.overflow);
      verdict.release();
      if (next instanceof Response) return next;
      made = next;
    }
  }

  async #first(): Promise<Made | Response> {
    try {
      return await this.#make(this.body);
    } catch (error) {
      if (!(error instanceof PalimpsestError)) throw error;
      const made = error.code === "cannot-fit" ? await this.#asKnown() : undefined;
      if (made) return made;
      return ALONE.includes(error.code) ? { body: this.body, changed: false, report: undefined } : toResponse(error, this.asked.format);
    }
  }

  /** What was learnt may be no longer so, or be another host's behind the same name: no request is refused for it before it was sent. */
  async #asKnown(): Promise<Made | undefined> {
    const known = this.own.memory.of(this.#key);
    const pictures = known.bytes !== undefined || known.images !== undefined;
    if (!pictures && known.window === undefined) return undefined;
    const made = pictures ? await this.#tried({ keepImages: 0, force: true }) : undefined;
    if (made) return made;
    for (const what of ["window", "guessed", "bytes", "images"] as const) delete known[what];
    return this.#tried({});
  }

  async #tried(pass: Pass): Promise<Made | undefined> {
    try {
      return await this.#make(this.body, pass);
    } catch (error) {
      if (error instanceof PalimpsestError) return undefined;
      throw error;
    }
  }

  #send({ body, changed }: Made): Promise<Response> {
    const { asked, fetch } = this;
    const args = changed ? resent(asked, JSON.stringify(body)) : asked.args;
    // Not as a method: a browser's own `fetch` would refuse to be one.
    return fetch(...(this.options.signal ? withSignal(args, this.#signal) : args));
  }

  #case({ report }: Made): Parameters<typeof judge>[1] {
    const { window, after } = report ?? {};
    const fill = window && after ? after.tokens / window : 0;
    return { wire: this.asked.wire, streams: this.body["stream"] === true, window, fill, hear: (said) => this.#hear(said, report) };
  }

  #hear({ message, usage }: Said, report: Report | undefined): void {
    if (report && typeof usage === "object" && usage !== null) {
      attempt(() => this.own.memory.charge(this.#key, this.options.calibration, report, usage));
    }
    tell(() => this.options.onAnswer?.({ message, usage, request: this.body }));
  }

  /** The refusal, as a client understands it: at once, and once. */
  #refused({ response, told, release }: Verdict, { message }: Overflow): Response {
    if (told) return response;
    release();
    return tooLong(message, this.asked.format);
  }

  /** Makes a body fit. Rejects as `compact` does. */
  async #make(base: Body, pass: Pass = {}): Promise<Made> {
    const { output } = this.#set;
    const { wire, url } = this.asked;
    const body = output === undefined ? base : wire.withOutput(base, output, url);
    try {
      const made = await this.#compacted(body, this.#compactOptions(pass));
      if (made.body !== body) this.#tell(made.report);
      return { body: made.body, changed: made.body !== this.body, report: made.report };
    } catch (error) {
      if (error instanceof PalimpsestError && "report" in error) this.#tell(error.report as Report);
      throw error;
    }
  }

  /** Hosts take a limit of output beyond the window for no limit at all. */
  async #compacted(body: Body, options: CompactOptions): Promise<{ body: Body; report: Report }> {
    try {
      return await compact(body, options);
    } catch (error) {
      const output = this.asked.wire.output(body);
      const { model } = options;
      if (!(error instanceof OptionError) || output === undefined || options.reserveOutput !== undefined || model === undefined) throw error;
      const { window } = await modelFacts(model);
      if (output < window) throw error;
      return compact(body, { ...options, reserveOutput: window >> 2 });
    }
  }

  #compactOptions(pass: Pass): CompactOptions {
    const { retries: _, onCompact: _1, onAnswer: _2, summarize: _3, ...own } = this.options;
    const known = this.own.memory.of(this.#key);
    const { reserve = own.reserveOutput, tokens } = this.#set;
    const limits = { ...own.limits };
    for (const [name, most] of [["bytes", known.bytes], ["images", known.images], ["tokens", tokens]] as const) {
      if (most !== undefined) limits[name] = Math.min(most, limits[name] ?? most);
    }
    const all = {
      ...own,
      format: this.asked.format,
      model: withWindow(this.#model, windowOf(known)),
      calibration: known.used ?? own.calibration,
      memo: own.memo ?? this.own.memo,
      summarize: this.#summarize(),
      limits,
      reserveOutput: reserve,
      signal: this.#signal,
      ...(pass.rungs && { rungs: pass.rungs.filter((rung) => own.rungs?.includes(rung) ?? true) }),
      ...(pass.keepImages !== undefined && { images: { keep: pass.keepImages } }),
      ...(pass.force && { force: true }),
    };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as CompactOptions;
  }

  #summarize(): CompactOptions["summarize"] {
    const { summarize } = this.options;
    if (typeof summarize === "function") return this.own.once.shared(async (request) => summarize(request), summarize);
    if (summarize === undefined || summarize === null) return undefined;
    if (summarize !== "same-model") throw new OptionError('`summarize` must be a function or "same-model".');
    const by = `${this.asked.href} ${JSON.stringify(ownOf(this.body))}`;
    return this.own.once.shared(sameModel(this.fetch, this.asked, this.body), by);
  }

  /** What is to be changed after an overflow; `undefined` where nothing is left. */
  async #learnt(overflow: Overflow, made: Made, tried: number): Promise<{ change: Change; sent: Sent } | undefined> {
    await init();
    const sent = await this.#sent(overflow, made);
    const change = sent && nextAfter(overflow, sent, tried);
    if (!change || typeof change === "string") return undefined;
    this.#learn(change, overflow, made);
    return { change, sent };
  }

  /** The request after an overflow; a response where it cannot be made to fit, nothing where it would be no smaller. */
  async #changed({ change, sent }: { change: Change; sent: Sent }, made: Made, overflow: Overflow): Promise<Made | Response | undefined> {
    const { output = this.#set.output, reserve = this.#set.reserve, limits, passes } = change;
    this.#set = { ...(output !== undefined && { output }), ...(reserve !== undefined && { reserve }), ...(limits.tokens !== undefined && { tokens: limits.tokens }) };
    if (passes.length === 0 && output !== undefined) {
      return { ...made, body: this.asked.wire.withOutput(made.body, output, this.asked.url), changed: true };
    }
    let failure: Response | undefined;
    for (const pass of passes) {
      try {
        // With few rungs only what was sent can be made smaller: the whole history was too large for other reasons.
        const next = await this.#make(pass.rungs ? made.body : this.body, pass);
        if (isSmaller(next, sent, overflow, change)) return next;
      } catch (error) {
        if (!(error instanceof PalimpsestError)) throw error;
        if (error.code === "cannot-fit") failure = toResponse(error, this.asked.format);
      }
    }
    return failure;
  }

  /** The figures of what was refused. Of a request that was never priced, too: now its window is known. */
  async #sent({ limit, kind }: Overflow, { body, report }: Made): Promise<Sent | undefined> {
    const { wire } = this.asked;
    const output = wire.output(body);
    const beside = { output, least: wire.least(body), reserve: this.#set.reserve ?? this.options.reserveOutput };
    if (report) {
      const { estimated, after, window } = report;
      const factor = this.options.countRequest || estimated === 0 ? 1 : after.tokens / estimated;
      return { estimated, factor, bytes: after.bytes, images: after.images, window, ...beside };
    }
    const id = idOf(this.#model) || "unknown";
    const known = kind === "tokens" || kind === "output" ? limit : undefined;
    try {
      const { estimated, bytes, images } = await measure(body, { model: { id, window: 2 ** 30 }, reserveOutput: 0, format: this.asked.format });
      return { estimated, factor: 1, bytes, images, window: known ?? estimated, ...beside };
    } catch {
      return undefined;
    }
  }

  #learn({ window, factor, limits }: Change, overflow: Overflow, { report }: Made): void {
    const known = this.own.memory.of(this.#key);
    const model = report?.model ?? idOf(this.#model);
    if (factor !== undefined) this.own.memory.correct(known, factor, model);
    if (window !== undefined) {
      known.window = window;
      delete known.guessed;
      if (overflow.limit === undefined) known.guessed = factor ?? known.used?.factor ?? 1;
    }
    if (limits.bytes !== undefined) known.bytes = limits.bytes;
    if (limits.images !== undefined) known.images = limits.images;
  }

  #tell(report: Report): void {
    tell(() => this.options.onCompact?.(report));
  }
}

/** What a listener throws is not heard, nor what it rejects with when it is asynchronous: unheard of, that would end a process. */
function tell(listener: () => unknown): void {
  void Promise.resolve(attempt(listener)).catch(() => {});
}

/** Nothing goes out that is as large as what was refused. */
function isSmaller({ report }: Made, sent: Sent, { kind }: Overflow, { output }: Change): boolean {
  if (!report) return false;
  const { estimated, after } = report;
  if (kind === "bytes") return after.bytes < sent.bytes;
  if (kind === "images") return after.images < sent.images;
  return estimated < sent.estimated || (output !== undefined && output < (sent.output ?? Infinity));
}
