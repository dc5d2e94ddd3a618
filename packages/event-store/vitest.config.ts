import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The first start on a machine downloads the servers.
  test: { testTimeout: 60_000, hookTimeout: 600_000 },
});
