import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // One system at a time: its servers and services already use every core.
    fileParallelism: false,
    testTimeout: 120_000,
    // The first start on a machine downloads the servers.
    hookTimeout: 600_000,
  },
});
