import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Two systems at a time: one waits most of the time, for what it has ended or broken.
    maxWorkers: 2,
    testTimeout: 120_000,
    // The first start on a machine downloads the servers.
    hookTimeout: 600_000,
  },
});
