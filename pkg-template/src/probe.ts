/** Finds out what a model can read. An entry of its own: it is wanted once for a model, not on every page. */
import "palimpsest"; // by its own name: the entry for where this runs, which says where the WebAssembly module is
import * as core from "./core.js";
import { OptionError } from "./errors.js";
import { answerOf } from "./job.js";
import { modelFacts, modelSaid } from "./models.js";
import { pages } from "./pages.js";
import { reading, TapeWriter } from "./tape.js";
import type { Model, PageShape, ReaderProfile } from "./types.js";

export type { Model, PageShape, ReaderProfile } from "./types.js";

/** A page to draw, and what to ask about it. */
interface Test {
  text: string;
  question: string;
  shape: PageShape;
}

/**
 * Finds the densest pitch that a model reads without a fault, by asking it: pages of rising density, on each of them twenty random keys, of
 * which all must come back digit by digit. At most eight questions, one picture each.
 *
 * The answer is plain data for the option `profile` of `pages`. When not even the coarsest page is read, its `exact` is below 1, and the rung
 * "snapshot" stays off for that model.
 *
 * @param ask sends the pictures (PNG) and the prompt to the model, and resolves to the words of its answer. What it throws comes out.
 * Rejects: OptionError, UnknownModelError.
 */
export async function probeReader(
  ask: (images: Uint8Array[], prompt: string) => Promise<string>,
  options: { model: Model },
): Promise<ReaderProfile> {
  if (typeof ask !== "function") throw new OptionError("`probeReader` needs a function that asks the model.");
  const model = modelSaid(options?.model);
  if (model === undefined) throw new OptionError("`probeReader` needs the option `model`.");
  const { id } = await modelFacts(options.model);
  let best: ReaderProfile | undefined;
  for (let step = 0; ; step++) {
    const test = said<Test>({ model, step });
    if (!test) break;
    const { pages: drawn, shape } = await pages(test.text, { model: options.model, shape: test.shape });
    const answer = String(await ask(drawn.map(({ png }) => png), test.question));
    const { exact } = said<{ exact: number }>({ model, step, answer }) ?? { exact: 0 };
    const profile = { model: id, shape, exact };
    // The first two pitches are equally coarse, wide letters and rows far apart: some read only one of them.
    if (exact < 1 && (best?.exact === 1 || step > 0)) return best ?? profile;
    best = profile;
  }
  return best as ReaderProfile;
}

function said<T>(asked: object): T | null {
  const tape = reading(() => new TapeWriter().value(asked));
  return answerOf<T | null>(() => core.probe(tape));
}
