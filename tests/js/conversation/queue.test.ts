/** Who comes after whom, and what becomes of a task that ends while it let others go ahead. */
import { expect, test } from "vitest";
import { Queue } from "../../../pkg/conversation/queue.js";

/** A promise, and what settles it. */
function later(): { promise: Promise<void>; resolve: () => void; reject: (reason: Error) => void } {
  let [resolve, reject] = [(): void => {}, (_: Error): void => {}];
  const promise = new Promise<void>((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
}

const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test("tasks run one after the other; the first begins at once, and one that fails keeps nobody from going on", async () => {
  const queue = new Queue();
  const seen: string[] = [];
  const first = queue.run(async () => {
    seen.push("a");
    await moment();
    seen.push("a ends");
    throw new Error("a failed");
  });
  expect(seen).toEqual(["a"]);
  const second = queue.run(async () => void seen.push("b"));
  await expect(first).rejects.toThrow("a failed");
  await second;
  expect(seen).toEqual(["a", "a ends", "b"]);
});

test("who lets others go ahead comes back in turn", async () => {
  const queue = new Queue();
  const seen: string[] = [];
  const [words, work] = [later(), later()];
  const first = queue.run(async (aside) => {
    await aside(() => words.promise, () => seen.push("a is back"));
    seen.push("a ends");
  });
  const second = queue.run(async () => {
    seen.push("b");
    await work.promise;
    seen.push("b ends");
  });
  const third = queue.run(async () => void seen.push("c"));
  await moment();
  words.resolve();
  await moment();
  expect(seen).toEqual(["b"]);
  work.resolve();
  await queue.idle();
  expect(seen).toEqual(["b", "b ends", "c", "a is back", "a ends"]);
  await Promise.all([first, second, third]);
});

test.each(["before what it waits for is over", "at the same time", "while it waits for its turn"])("a task that ends %s never comes back, and holds nobody up", async (when) => {
  const queue = new Queue();
  const [words, end, work] = [later(), later(), later()];
  let back = 0;
  const first = queue.run((aside) => Promise.race([aside(() => words.promise, () => void back++), end.promise]));
  first.catch(() => {});
  const second = when === "while it waits for its turn" ? queue.run(() => work.promise) : undefined;
  if (when !== "before what it waits for is over") words.resolve();
  if (second) await moment();
  end.reject(new Error("given up"));
  await Promise.allSettled([first]);
  words.resolve();
  work.resolve();
  await second;
  let ran = false;
  await queue.run(async () => void (ran = true));
  await queue.idle();
  await moment();
  expect(ran).toBe(true);
  expect(back).toBeLessThanOrEqual(when === "at the same time" ? 1 : 0);
});
