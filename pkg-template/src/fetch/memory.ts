/** What one wrapper has learnt: for each model at each host its true window, its limits and a calibration. Nothing of any request. */
import { calibrated } from "../calibrate.js";
import { isObject } from "../json.js";
import type { Calibration, Memo, Model, Report } from "../types.js";

/** Models that are remembered; of more, those that were asked longest ago are forgotten. */
const MODELS = 256;
/** Letters of all that the memo keeps. */
const MEMO = 8 * 1024 * 1024;

export interface Learnt {
  /** Tokens. */
  window?: number;
  /** The factor by which a window was guessed that nobody named: a better one moves the guess. */
  guessed?: number;
  bytes?: number;
  images?: number;
  calibration?: Calibration;
  /** The calibration that requests are decided by: it follows the learnt one, but not at every step. */
  used?: Calibration;
}

/** Where `compact` rounds a factor up to. */
const sixteenths = (factor: number): number => Math.ceil(factor * 16);

/** Every move of it costs the provider's cache of a conversation. So up it goes when it must, and down only when it is worth it. */
function isDue(used: Calibration | undefined, learnt: Calibration): boolean {
  if (used === undefined) return true;
  const moved = sixteenths(learnt.factor) - sixteenths(used.factor);
  return moved > 0 || moved < -1;
}

export class Memory {
  readonly #models = new Map<string, Learnt>();

  of(key: string): Learnt {
    const known = this.#models.get(key) ?? {};
    this.#models.delete(key);
    this.#models.set(key, known); // the newest stand last
    if (this.#models.size > MODELS) this.#models.delete(this.#models.keys().next().value as string);
    return known;
  }

  /** Takes what a provider charged for a request that was reported on. */
  charge(key: string, first: Calibration | undefined, report: Report, usage: object): void {
    const known = this.of(key);
    known.calibration = calibrated(known.calibration ?? first, report, usage);
    if (isDue(known.used ?? first, known.calibration)) known.used = known.calibration;
  }

  /** Takes what a refusal told. */
  correct(known: Learnt, factor: number, model: string): void {
    known.used = known.calibration = { factor, samples: Math.max(1, known.calibration?.samples ?? 1), model };
  }
}

/** The window as it is now known, in tokens. */
export function windowOf({ window, guessed, used }: Learnt): number | undefined {
  if (window === undefined || guessed === undefined || !used) return window;
  return Math.round((window * used.factor) / guessed);
}

/** A model with a window that was learnt. A smaller one that the caller wished for stands. */
export function withWindow(model: Model | undefined, window: number | undefined): Model | undefined {
  if (window === undefined || model === undefined) return model;
  if (typeof model === "string") return { id: model, window };
  return "id" in model ? { ...model, window: Math.min(window, model.window ?? window) } : { id: model.modelId, window };
}

/** The id of a model, however it was given. */
export function idOf(model: unknown): string {
  if (!isObject(model)) return typeof model === "string" ? model : "";
  const { id, modelId } = model as { id?: unknown; modelId?: unknown };
  return String(id ?? modelId ?? "");
}

/** A memo that forgets what was asked for longest ago. */
export function memoryMemo(): Memo {
  const kept = new Map<string, string>();
  let size = 0;
  const drop = (key: string): void => {
    size -= kept.get(key)?.length ?? 0;
    kept.delete(key);
  };
  return {
    async get(key) {
      const value = kept.get(key);
      if (value !== undefined) kept.delete(key), kept.set(key, value);
      return value;
    },
    async put(key, value) {
      drop(key);
      kept.set(key, value);
      size += value.length;
      for (const oldest of kept.keys()) {
        if (size <= MEMO) break;
        drop(oldest);
      }
    },
  };
}
