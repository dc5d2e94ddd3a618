import { expect, it } from 'vitest';
import { type AboutOmitted, LineLimit } from './line-limit.ts';

it('writes so many lines in a period, and with the next one how many were left out', async () => {
  const limit = new LineLimit({ most: 2, periodMs: 100 });
  const lines: AboutOmitted[] = [];
  const write = () => limit.write((about) => lines.push(about));
  for (let count = 1; count <= 5; count += 1) write();
  expect(lines).toEqual([{}, {}]);
  await expect
    .poll(() => {
      write();
      return lines.length;
    })
    .toBeGreaterThan(2);
  expect(lines[2]?.omitted).toBeGreaterThanOrEqual(3);
  write();
  expect(lines[3]).toEqual({});
});
