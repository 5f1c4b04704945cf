/** The shared suite in memory. */
import { describe, test } from "vitest";
import { memoryStore } from "../../../pkg/stores/memory.js";
import { storeSuite } from "./suite.js";

describe("memoryStore", () => {
  const suite = storeSuite(() => {
    const store = memoryStore();
    return { open: () => store };
  });
  for (const { name, run } of suite) test(name, run);
});
