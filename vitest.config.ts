import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/{js,provider}/**/*.test.ts"],
    environment: "node",
    globalSetup: ["tests/js/support/packed.ts"],
    // The command line and the type checker are started as programs of their own.
    testTimeout: 30_000,
    // Browsers are started before the tests.
    hookTimeout: 60_000,
  },
});
