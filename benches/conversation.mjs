// What a conversation costs as it grows: turns, branches, opening, requests, over three stores, at two sizes in turn.
import { inChromium, inMemory, inWorkerd } from "./lib/conversation-hosts.mjs";
import { ms, table, thousands, times } from "./lib/table.mjs";

export const title = "Conversations: what a long one costs beside a short one";

const SIZES = { small: 100, middle: 2000, tenth: 10_000, large: 100_000 };
const HOSTS = [
  ["memoryStore, Node", inMemory, SIZES],
  ["indexedDBStore, Chromium", inChromium, SIZES],
  ["durableObjectStore, workerd", inWorkerd, { ...SIZES, tenth: 2000, large: 20_000 }],
];
/** How much longer a turn may take in the longest conversation, and opening it than reading its rows. */
const TURN = 1.5;
const OPEN = 3;
/** Milliseconds that a request may take longer. */
const REQUEST = 1;

export async function run() {
  const figures = [];
  const missing = [];
  for (const [store, measured, sizes] of HOSTS) {
    const found = await measured(sizes);
    if (found) figures.push({ store, ...found });
    else missing.push(`${store}: not here.`);
  }
  return { figures, text: [grown(figures), opened(figures), requests(figures), ...missing] };
}

const fine = (value) => (value < 1 ? `${(1000 * value).toFixed(value < 0.01 ? 1 : 0)} µs` : ms(value));

function grown(all) {
  const head = ["store", "what", "messages", "best", "median", "messages", "best", "median", "ratio", "at most"];
  const row = ({ store, sizes }, what, { small, large }, most) => [
    store, what, thousands(sizes.small), fine(small.best), fine(small.median), thousands(sizes.large), fine(large.best), fine(large.median),
    times(large.best / small.best), times(most),
  ];
  return table(head, all.flatMap((one) => [row(one, "turn", one.turns, TURN), row(one, "branch", one.branches, TURN)]));
}

function opened(all) {
  const head = ["store", "messages", "raw rows", "open", "ratio", "at most", "a message, beside the shorter"];
  return table(head, all.flatMap(({ store, sizes, opened }) =>
    ["tenth", "large"].map((size) => {
      const { floor, ours, ratio } = opened[size];
      const growth = (taken) => times(taken.large / sizes.large / (taken.tenth / sizes.tenth));
      const both = (key) => growth({ tenth: opened.tenth[key], large: opened.large[key] });
      return [store, thousands(sizes[size]), ms(floor), ms(ours), times(ratio), times(OPEN), size === "large" ? `${both("ours")}, raw ${both("floor")}` : "–"];
    }),
  ));
}

function requests(all) {
  const head = ["store", "request", "messages", "first", "best", "median", "messages", "first", "best", "median", "more", "at most"];
  const row = ({ store, sizes }, what, { first, small, large }) => [
    store, what, thousands(sizes.middle), ms(first.small), fine(small.best), fine(small.median), thousands(sizes.large), ms(first.large), fine(large.best),
    fine(large.median), ms(large.best - small.best), ms(REQUEST),
  ];
  return table(head, all.flatMap((one) => [row(one, "as it is", one.wide), row(one, "128k", one.narrow)]));
}
