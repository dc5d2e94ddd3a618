import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders whose tests take or wait longest, in their order: started last they would run alone at the end. */
const first = ['tests/failures/', 'tests/start/', 'tests/', 'packages/service-kit/', 'packages/event-store/'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranks = new Map(files.map(({ moduleId }) => [moduleId, rankOf(moduleId)]));
    const rank = ({ moduleId }: TestSpecification) => ranks.get(moduleId) ?? 0;
    return (await super.sort(files)).sort((left, right) => rank(left) - rank(right));
  }
}

function rankOf(file: string): number {
  const rank = first.findIndex((folder) => file.startsWith(join(import.meta.dirname, folder)));
  if (rank === -1) return first.length;
  // Those that share a running system follow each other, so that it is used before it is stopped.
  return readFileSync(file, 'utf8').includes('shared-system.ts') ? first.indexOf('tests/') + 0.5 : rank;
}

/** All tests of the repository in one run: `pnpm vitest run packages/models` runs those of one package. */
export default defineConfig({
  test: {
    include: ['{packages,services}/*/src/**/*.test.ts', 'bench/src/**/*.test.ts', 'tests/**/*.test.ts'],
    // A test file gets the servers that the file before it has left in the same process.
    isolate: false,
    // More than there are cores, since tests also wait; with four, two cores are so busy that waits run into their limits.
    maxWorkers: Number(process.env.MNEME_TEST_WORKERS ?? 3),
    // On a machine that also does other work a test may take many times as long as usual.
    testTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // The first start on a machine downloads the servers.
    hookTimeout: 600_000,
    sequence: { sequencer: LongestFirst },
    coverage: { include: ['{packages,services}/*/src/**'], exclude: ['**/testing/**'] },
  },
});
