/** The shared suite on a disk. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, test } from "vitest";
import { fileStore } from "../../../pkg/stores/files.js";
import { storeSuite } from "./suite.js";

const root = mkdtempSync(join(tmpdir(), "palimpsest-files-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("fileStore", () => {
  let count = 0;
  const suite = storeSuite(() => {
    const directory = join(root, `suite ${count++}`);
    return { open: () => fileStore(directory) };
  });
  for (const { name, run } of suite) test(name, run);
});
