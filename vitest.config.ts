import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { countReporter } from "./scripts/setup/count-reporter.mjs";

export default defineConfig({
  test: {
    environment: "node",
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/helpers/every-test.ts"],
    watch: false,
    allowOnly: false,
    // Tests wait for the network and for browsers more than they compute: no core is left idle.
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 20_000,
    hookTimeout: 30_000,
    reporters: [["default", { summary: false }], countReporter],
  },
});
