import { ConflictError, EventLogUnavailableError } from '@mneme/event-store';
import { expect, it } from 'vitest';
import { FencedError } from '../errors.ts';
import { isFaultOfEvents, LaneLostError, LeaseLapsedError } from './lane-guard.ts';

const store = (isReachable: () => Promise<boolean>) => ({ isReachable });
const reachable = store(async () => true);

it.each([
  new ConflictError('webhooks.table.1', 7),
  new EventLogUnavailableError('The event log is away'),
  new FencedError('sums@1', 7),
  new LaneLostError(),
  new LeaseLapsedError(),
])('events are not blamed for a $name', async (error) => {
  expect(await isFaultOfEvents(reachable, error)).toBe(false);
});

it('events are blamed for other errors, as long as every store answers', async () => {
  const error = new TypeError('told to fail');
  const gone = store(async () => {
    throw new Error('gone');
  });
  const blamed = [reachable, store(async () => false), gone].map((each) => isFaultOfEvents(each, error));
  expect(await Promise.all(blamed)).toEqual([true, false, false]);
});
