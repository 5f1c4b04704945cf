/** What is known of models. */
import * as core from "./core.js";
import { OptionError } from "./errors.js";
import { answerOf, inCore } from "./job.js";
import { isObject } from "./json.js";
import { init } from "./load.js";
import { reading, TapeWriter } from "./tape.js";
import type { Model, ModelFacts } from "./types.js";

/** The facts of a model: those given, then those known of its id, then cautious defaults. Rejects: UnknownModelError. */
export async function modelFacts(model: Model): Promise<ModelFacts> {
  await init();
  const tape = modelTape(model);
  return answerOf<ModelFacts>(() => core.model_facts(tape));
}

/** All models known by id, for a picker. */
export async function models(): Promise<ModelFacts[]> {
  await init();
  return inCore(() => JSON.parse(core.models()) as ModelFacts[]);
}

/**
 * The price of one picture, in tokens, and the size in pixels to which the provider would shrink it (equal when it would not).
 * `width` and `height` are whole pixels from 1 to 2³² − 1. Rejects: UnknownModelError, OptionError.
 */
export async function imageCost(model: Model, width: number, height: number): Promise<{ tokens: number; width: number; height: number }> {
  for (const side of [width, height]) {
    if (!Number.isInteger(side) || side < 1 || side > 0xffffffff) throw new OptionError(`A picture's sides are whole pixels from 1, not ${String(side)}.`);
  }
  await init();
  const tape = modelTape(model);
  return answerOf(() => core.image_cost(tape, width, height));
}

/** A model as it crosses. An AI SDK model object holds a whole client; only its name is meant. */
export function modelSaid(model: Model | undefined): unknown {
  if (isObject(model) && "modelId" in model && !("id" in model)) return { modelId: model.modelId };
  return model;
}

function modelTape(model: Model): Uint8Array {
  return reading(() => new TapeWriter().value(modelSaid(model)));
}
