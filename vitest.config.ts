import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders whose tests take longest, in their order: started last they would run alone at the end. */
const first = ['tests/failures/', 'tests/start/', 'tests/'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = first.findIndex((folder) => moduleId.startsWith(join(import.meta.dirname, folder)));
      return rank === -1 ? first.length : rank;
    };
    return (await super.sort(files)).sort((left, right) => rankOf(left) - rankOf(right));
  }
}

/** All tests of the repository in one run: `pnpm vitest run packages/models` runs those of one package. */
export default defineConfig({
  test: {
    include: ['{packages,services}/*/src/**/*.test.ts', 'tests/**/*.test.ts'],
    // A test file gets the servers that the file before it has left in the same process.
    isolate: false,
    // More than there are cores: most of the time tests wait for what they have ended, broken or asked for.
    maxWorkers: Number(process.env.MNEME_TEST_WORKERS ?? 4),
    // On a machine that also does other work a test may take many times as long as usual.
    testTimeout: 120_000,
    // The first start on a machine downloads the servers.
    hookTimeout: 600_000,
    sequence: { sequencer: LongestFirst },
    coverage: { include: ['{packages,services}/*/src/**'], exclude: ['**/testing/**'] },
  },
});
