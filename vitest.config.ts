import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    globalSetup: ['test/build-once.ts'],
    // Tests mostly wait for processes that they started, so a core left free is a core wasted.
    maxWorkers: Math.max(2, availableParallelism()),
  },
});
