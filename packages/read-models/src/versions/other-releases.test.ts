import { expect, it } from 'vitest';
import { OtherReleases } from './other-releases.ts';

it('other releases have left when no instance of theirs was seen for a while', async () => {
  const signs = { isAtWork: false, isBeingMade: true };
  let now = 1_000;
  const registry = { isAtWork: async () => signs.isAtWork, isBeingMade: async () => signs.isBeingMade };
  const others = new OtherReleases(registry, () => now);
  const after = async (ms: number, forMs?: number) => {
    now += ms;
    return others.haveLeft(1, forMs);
  };
  expect(await after(60_000)).toBe(false);
  signs.isBeingMade = false;
  expect(await after(60_000)).toBe(false);
  expect(await after(9_999)).toBe(false);
  expect(await after(1)).toBe(true);
  expect(await after(800_000, 900_000)).toBe(false);
  expect(await after(90_000, 900_000)).toBe(true);
  signs.isAtWork = true;
  expect(await after(0)).toBe(false);
  signs.isAtWork = false;
  expect(await after(0)).toBe(false);
  expect(await after(10_000)).toBe(true);
  others.forget(1);
  expect(await after(0)).toBe(false);
});
