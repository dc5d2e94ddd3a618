import { expect, it } from 'vitest';
import { createProgressBar, progressBar } from './progress-bar.ts';

it('fills from left to right, and never over the end', () => {
  expect(progressBar(0, 4)).toBe(`[${'.'.repeat(30)}] 0 %`);
  expect(progressBar(2, 4)).toBe(`[${'#'.repeat(15)}${'.'.repeat(15)}] 50 %`);
  expect(progressBar(9, 4)).toBe(progressBar(4, 4));
  expect(progressBar(0, 0)).toBe(`[${'#'.repeat(30)}] 100 %`);
});

it('prints a line for each tenth where it cannot draw over one', () => {
  const lines: string[] = [];
  const stream = { isTTY: false, write: (line: string) => lines.push(line) } as unknown as NodeJS.WriteStream;
  const bar = createProgressBar(stream, 'Embedding');
  for (let done = 1; done <= 1_000; done += 1) bar(done, 1_000);
  expect(lines).toHaveLength(11);
  expect(lines.at(-1)).toBe(`Embedding ${progressBar(1, 1)}\n`);
});
