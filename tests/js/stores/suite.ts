/**
 * What every store must do, as plain functions: they run under a test runner, in a page, in a Durable Object.
 * A store of your own can be put to it too.
 */
import type { Store } from "../../../pkg/stores/store.js";
import { blobCases } from "./suite/blobs.js";
import { commitCases } from "./suite/commits.js";
import { hostileCases } from "./suite/hostile.js";
import { listCases } from "./suite/lists.js";
import { partCases } from "./suite/parts.js";

/** A place where nothing is stored yet; each call of `open` gives a store on it, as another tab or process would have it. */
export interface Place {
  open(): Store | Promise<Store>;
}

/** What a store may leave out: keeping bytes apart, telling of commits, checking what it is given, giving only a part, remembering that a
 *  name was used before. */
export type Ability = "blobs" | "subscribe" | "checks" | "parts" | "removals";

export interface Case {
  name: string;
  /** What a store must be able to do for this to be asked of it. */
  needs?: Ability;
  run(place: Place): Promise<void>;
}

export interface SuiteCase {
  name: string;
  run(): Promise<void>;
}

const cases: Case[] = [...commitCases, ...listCases, ...partCases, ...blobCases, ...hostileCases];

/** All cases, each on a place of its own. */
export function storeSuite(makePlace: () => Place | Promise<Place>, abilities: readonly Ability[] = ["blobs", "subscribe", "checks", "parts", "removals"]): SuiteCase[] {
  return cases
    .filter(({ needs }) => needs === undefined || abilities.includes(needs))
    .map(({ name, run }) => ({ name, run: async () => run(await makePlace()) }));
}
