/** The page's side of the worker: a question is a promise. */
import type { Answer, Calls, Question } from "./protocol.js";

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
  progress: ((share: number) => void) | undefined;
}

const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
const waiting = new Map<number, Waiting>();
let last = 0;

export function ask<K extends keyof Calls>(call: K, question: Calls[K]["ask"], progress?: (share: number) => void): Promise<Calls[K]["answer"]> {
  return new Promise((resolve, reject) => {
    const id = ++last;
    waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject, progress });
    worker.postMessage({ id, call, ask: question } as Question);
  });
}

worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
  const asked = waiting.get(data.id);
  if (asked === undefined) return;
  if ("total" in data) return asked.progress?.(data.done / data.total);
  waiting.delete(data.id);
  if ("error" in data) asked.reject(Object.assign(new Error(data.error), { code: data.code }));
  else asked.resolve(data.answer);
});

worker.addEventListener("error", (event) => {
  for (const { reject } of waiting.values()) reject(new Error(`The worker stopped: ${event.message || "it could not be loaded"}. Load the page again.`));
  waiting.clear();
});

/** Runs one call at a time; of those that come in meanwhile only the newest is run after it. */
export function newest<T>(work: (value: T) => Promise<void>): (value: T) => void {
  let running = false;
  let next: { value: T } | undefined;
  const run = async (value: T): Promise<void> => {
    running = true;
    try {
      await work(value);
    } finally {
      running = false;
      const { value: later } = next ?? {};
      const due = next !== undefined;
      next = undefined;
      if (due) void run(later as T);
    }
  };
  return (value) => {
    if (running) next = { value };
    else void run(value);
  };
}
