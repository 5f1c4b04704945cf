// What the test programs print, turned into numbers.

/** Adds up counts. */
export function sum(list) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const one of list) for (const key of Object.keys(total)) total[key] += one[key];
  return total;
}

/** `test result: ok. 3 passed; 0 failed; 1 ignored; …`, one line for each test program. */
export function countRust(text) {
  const lines = text.matchAll(/^test result: .*?(\d+) passed; (\d+) failed; (\d+) ignored/gm);
  return sum([...lines].map((match) => ({ passed: +match[1], failed: +match[2], skipped: +match[3] })));
}

/** vitest's JSON report. A file that could not even be loaded counts as one failure. */
export function countVitest(report) {
  const unloaded = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** The line that ends `npm test`. */
export function summary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ""}`;
}
