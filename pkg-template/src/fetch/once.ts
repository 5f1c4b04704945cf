/** A summary that several requests of one wrapper want at the same time is asked for once. What was written before is the memo's to know. */
import { abortable } from "../job.js";
import type { SummaryRequest } from "../types.js";

type Summarize = (request: SummaryRequest) => Promise<string | object>;

/** In Workers all that a request waits for ends with it, without a word, when its client leaves. So nobody else may wait for the same there. */
const APART = "WebSocketPair" in globalThis;

export class Once {
  readonly #underWay: { by: unknown; question: string; answer: Promise<string | object> }[] = [];

  /** `by` tells writers apart. Who waited for an answer that failed, or that its own asker gave up, asks for itself. */
  shared(summarize: Summarize, by: unknown): Summarize {
    if (APART) return summarize;
    return async (request) => {
      const { signal: _, ...rest } = request;
      const question = JSON.stringify(rest);
      const other = this.#underWay.find((one) => one.by === by && one.question === question);
      const said = other && (await other.answer.catch(() => undefined));
      if (said !== undefined) return said;
      // Who hears no signal would else be waited for when nobody wants its answer any more.
      const mine = { by, question, answer: abortable(summarize(request), request.signal) };
      this.#underWay.push(mine);
      return mine.answer.finally(() => this.#underWay.splice(this.#underWay.indexOf(mine), 1));
    };
  }
}
