import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders whose tests wait for servers that are away, and for processes that end. */
const faults = ['tests/failures/', 'tests/start/'];

/**
 * Tests of running systems need processor time, and most others wait for something: in turns, neither leave the processors
 * idle. What waits for nothing comes last, so that no long file runs alone at the end.
 */
class InTurns extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const kinds: Record<Kind, TestSpecification[]> = { fault: [], system: [], shared: [], waiting: [], quick: [] };
    for (const file of await super.sort(files)) kinds[kindOf(file.moduleId)].push(file);
    const { fault, system, waiting, quick } = kinds;
    const shared = kinds.shared.toSorted((one, other) => sharedBy(one).localeCompare(sharedBy(other)));
    // Those that share a running system follow each other, so that it is used before it is stopped.
    return [...spread([fault, [...system, ...shared], waiting]), ...quick];
  }
}

/** What a test file that uses a shared system has in it. */
const shares = /shared-system\.ts|startConsole|(?:share|use)ModelSystem/;
/** Which one it uses, unless it is the one with the usual settings: that with the stand-in, or its own settings. */
const ownSettings = /(?:shareSystem|startConsole)\(\{.*\}/;

function sharedBy({ moduleId }: TestSpecification): string {
  const text = readFileSync(moduleId, 'utf8');
  return /(?:share|use)Model/.test(text) ? 'stand-in' : (ownSettings.exec(text)?.[0] ?? '');
}

type Kind = 'fault' | 'system' | 'shared' | 'waiting' | 'quick';

function kindOf(file: string): Kind {
  const isIn = (folder: string) => file.startsWith(join(import.meta.dirname, folder));
  const text = readFileSync(file, 'utf8');
  if (isIn('tests/') && shares.test(text)) return 'shared';
  if (faults.some(isIn)) return 'fault';
  if (isIn('tests/')) return 'system';
  return text.includes('await ') ? 'waiting' : 'quick';
}

/** Merges lists so that the parts of them that have been passed are equal everywhere. */
function spread<T>(lists: readonly (readonly T[])[]): T[] {
  const placed = lists.flatMap((list) => list.map((item, index) => ({ item, place: (index + 0.5) / list.length })));
  return placed.sort((one, other) => one.place - other.place).map(({ item }) => item);
}

/** All tests of the repository in one run: `pnpm vitest run packages/models` runs those of one package. */
export default defineConfig({
  test: {
    include: ['{packages,services}/*/src/**/*.test.ts', 'bench/src/**/*.test.ts', 'tests/**/*.test.ts'],
    // A test file gets the servers that the file before it has left in the same process.
    isolate: false,
    // More than there are cores, since tests also wait; with four, two cores are so busy that waits grow.
    maxWorkers: Number(process.env.MNEME_TEST_WORKERS ?? 3),
    // Of the tests of a file that run side by side: more would keep a slow machine too busy for what they wait for.
    maxConcurrency: 3,
    // On a machine that also does other work a test may take many times as long as usual.
    testTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // The first start on a machine downloads the servers.
    hookTimeout: 600_000,
    sequence: { sequencer: InTurns },
    coverage: { include: ['{packages,services}/*/src/**'], exclude: ['**/testing/**'] },
  },
});
