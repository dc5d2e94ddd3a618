import { expect, it } from 'vitest';
import { OtherReleases } from './other-releases.ts';

it('a version is unused since no instance was seen that makes it or has it at work', async () => {
  const signs = { isAtWork: false, isBeingMade: true };
  let now = 1_000;
  const registry = { isAtWork: async () => signs.isAtWork, isBeingMade: async () => signs.isBeingMade };
  const others = new OtherReleases(registry, () => now);
  const after = async (ms: number) => {
    now += ms;
    return others.unusedMs(1);
  };
  expect(await after(60_000)).toBe(0);
  signs.isBeingMade = false;
  expect(await after(60_000)).toBe(0);
  expect(await after(9_999)).toBe(9_999);
  expect(await after(1)).toBe(10_000);
  signs.isAtWork = true;
  expect(await after(0)).toBe(0);
  signs.isAtWork = false;
  expect(await after(0)).toBe(0);
  expect(await after(10_000)).toBe(10_000);
  others.forget(1);
  expect(await after(0)).toBe(0);
});
