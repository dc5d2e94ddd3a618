import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { atFullLength } from '@mneme/local-stack/testing';
import { expect, it } from 'vitest';

/**
 * Keeps two million objects for a moment, then hardly works, and prints how much memory it has before and after, in MB.
 * @param then what it does in between
 */
const program = (then: string) => `
import { setTimeout as sleep } from 'node:timers/promises';
import { giveMemoryBackWhenIdle } from ${JSON.stringify(import.meta.resolve('./give-memory-back.ts'))};
let given = 0;
giveMemoryBackWhenIdle({ logger: { debug: () => (given += 1) }, everyMs: 500 });
// A service that polls: V8 never takes it for a program at rest.
setInterval(() => JSON.parse(polled), 5);
const polled = JSON.stringify(Array.from({ length: 500 }, (_, index) => ({ index })));
const size = () => Math.round(process.memoryUsage.rss() / 2 ** 20);
const grow = async (busyMs) => {
  const kept = Array.from({ length: 2_000_000 }, (_, index) => ({ index, text: 'item ' + index }));
  for (const end = performance.now() + busyMs; performance.now() < end; ) await sleep();
  return kept.length > 0 && size();
};
await sleep(1_200);
const atRest = size();
const grown = await grow(100);
${then}
for (let tries = 0; tries < 60 && size() > atRest + 50; tries += 1) await sleep(500);
console.log(JSON.stringify({ atRest, grown, given, afterwards: size() }));
process.exit();
`;

async function run(then = ''): Promise<{ atRest: number; grown: number; given: number; afterwards: number }> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program(then)]);
  return JSON.parse(stdout);
}

it('a process that is idle again gives back the memory that it does not use any more, once', async () => {
  const { atRest, grown, given, afterwards } = await run();
  expect(given).toBe(1);
  expect(grown - atRest).toBeGreaterThan(200);
  expect(afterwards - atRest).toBeLessThan(100);
});

it.runIf(atFullLength)('and begins again when it was interrupted by work', async () => {
  const { atRest, given, afterwards } = await run(`while (given === 0) await sleep(10); await grow(2_000);`);
  expect(given).toBeGreaterThan(1);
  expect(afterwards - atRest).toBeLessThan(100);
});

it('a process with too many open files skips looks, and goes on', async () => {
  const path = JSON.stringify(import.meta.resolve('./give-memory-back.ts'));
  const withoutFiles = `
    import { giveMemoryBackWhenIdle } from ${path};
    let looks = 0;
    process.memoryUsage.rss = () => { looks += 1; throw new Error('EMFILE: too many open files, uv_resident_set_memory'); };
    giveMemoryBackWhenIdle({ logger: {}, everyMs: 10 });
    setInterval(() => { if (looks > 2) process.exit(0); }, 10);
  `;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', withoutFiles]);
});
