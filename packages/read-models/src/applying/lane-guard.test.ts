import { ConflictError, EventLogUnavailableError } from '@mneme/event-store';
import { MongoServerError } from 'mongodb';
import { expect, it, vi } from 'vitest';
import { FencedError } from '../errors.ts';
import { faultOf, LaneLostError, LeaseLapsedError, Suspicion } from './lane-guard.ts';

const indexes = { note: () => undefined };
const store = (acceptsWrites: () => Promise<boolean>) => ({ store: { acceptsWrites }, indexes });
const sound = store(async () => true);
const full = Object.assign(new Error('No space left on device'), { status: 500 });

it.each([
  new ConflictError('webhooks.table.1', 7),
  new EventLogUnavailableError('The event log is away'),
  new FencedError('sums@1', 7),
  new LaneLostError(),
  new LeaseLapsedError(),
])('events are not blamed for a $name', async (error) => {
  expect(await faultOf(sound, error)).toBe('none');
});

it('events are not blamed for a missing index, which is made again', async () => {
  const message = 'planner returned error: hint provided does not correspond to an existing index';
  const error = new MongoServerError({ message, code: 2 });
  const note = vi.fn();
  expect(await faultOf({ ...sound, indexes: { note } }, error)).toBe('none');
  expect(note).toHaveBeenCalledWith(error);
});

it('events are blamed for other errors, as long as every store takes writes', async () => {
  const error = new TypeError('told to fail');
  const gone = store(async () => {
    throw new Error('gone');
  });
  const faults = [sound, store(async () => false), gone].map((each) => faultOf(each, error));
  expect(await Promise.all(faults)).toEqual(['events', 'none', 'none']);
});

it('events may be the cause when a store fails for them and takes other writes', async () => {
  const faults = [sound, store(async () => false)].map((each) => faultOf(each, full));
  expect(await Promise.all(faults)).toEqual(['unclear', 'none']);
});

it('an event that is refused four times is the cause', () => {
  const suspicion = new Suspicion({});
  const settled = ['events', 'none', 'events', 'unclear', 'events', 'events'].map((fault) => {
    suspicion.note(fault as 'events');
    return suspicion.isSettled;
  });
  expect(settled).toEqual([false, false, false, false, false, true]);
  expect(suspicion.failures).toBe(5);
});

it('an event is the cause when a store fails for it alone for long, without a failure of all writes in between', async () => {
  const suspicion = new Suspicion({ storeFailureMs: 100 });
  suspicion.note('unclear');
  expect(suspicion.isSettled).toBe(false);
  await expect.poll(() => suspicion.isSettled).toBe(true);
  suspicion.note('none');
  suspicion.note('unclear');
  expect(suspicion.isSettled).toBe(false);
});
