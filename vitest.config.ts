import { defineConfig } from 'vitest/config';

/** For the tests of a package. On a machine that also does other work a test may take many times as long as usual. */
export default defineConfig({
  // The first start on a machine downloads the servers.
  test: { testTimeout: 60_000, hookTimeout: 600_000 },
});
