import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** Keeps two million objects for a moment, then hardly works, and prints how much memory it has before and after, in MB. */
const program = `
import { setTimeout as sleep } from 'node:timers/promises';
import { giveMemoryBackWhenIdle } from ${JSON.stringify(import.meta.resolve('./give-memory-back.ts'))};
giveMemoryBackWhenIdle({ logger: { debug: (_, text) => console.log(text) }, everyMs: 500 });
// A service that polls: V8 never takes it for a program at rest.
setInterval(() => JSON.parse(polled), 5);
const polled = JSON.stringify(Array.from({ length: 500 }, (_, index) => ({ index })));
const size = () => Math.round(process.memoryUsage.rss() / 2 ** 20);
await sleep(1_200);
const atRest = size();
const grow = async () => {
  const kept = Array.from({ length: 2_000_000 }, (_, index) => ({ index, text: 'item ' + index }));
  await sleep(100);
  return kept.length > 0 && size();
};
const grown = await grow();
for (let tries = 0; tries < 60 && size() > atRest + 50; tries += 1) await sleep(500);
console.log(JSON.stringify({ atRest, grown, afterwards: size() }));
process.exit();
`;

it('a process that is idle again gives back the memory that it does not use any more, once', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  const lines = stdout.trim().split('\n');
  expect(lines.slice(0, -1)).toEqual(['Giving memory back']);
  const { atRest, grown, afterwards } = JSON.parse(lines.at(-1) ?? '');
  expect(grown - atRest).toBeGreaterThan(100);
  expect(afterwards - atRest).toBeLessThan(50);
});
