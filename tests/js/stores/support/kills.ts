/** Random points at which to kill a writer. */
import { generator } from "../../support/random.js";
import { TURNS } from "./turns.js";

/** PALIMPSEST_KILLS asks for more of them, PALIMPSEST_SEED for others. */
export const kills = Number(process.env.PALIMPSEST_KILLS ?? 20);
const seed = Number(process.env.PALIMPSEST_SEED ?? 200);

export interface Kill {
  /** After this turn was made … */
  turn: number;
  /** … and so many milliseconds. */
  delay: number;
}

/** Rounds of a conversation each, in rising order; `pace`: about how long a turn takes, in milliseconds. */
export function killPoints(count: number, pace: number): Kill[][] {
  console.log(`PALIMPSEST_SEED=${seed}`);
  const random = generator(seed);
  for (let warm = 0; warm < 8; warm++) random();
  const rounds: Kill[][] = [];
  for (let left = count; left > 0; left -= 20) {
    const points = Array.from({ length: Math.min(20, left) }, () => ({ turn: Math.floor(random() * TURNS), delay: random() * pace * 1.5 }));
    rounds.push(points.sort((a, b) => a.turn - b.turn));
  }
  return rounds;
}
