import { type UsageCount, WireError } from '@mneme/contracts';
import { createClient } from '@mneme/service-kit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createUsageCounter } from './usage-counter.ts';

const hour = Date.UTC(2026, 0, 1, 7);
const everyMs = 1_000;
let failure: unknown;
let told: UsageCount[][];
const logger = { warn: vi.fn() };

beforeEach(() => {
  vi.useFakeTimers();
  [failure, told] = [undefined, []];
  logger.warn.mockClear();
});
afterEach(() => void vi.useRealTimers());

function counter() {
  const tell = async (counts: UsageCount[]) => {
    told.push(counts);
    if (failure) throw failure;
  };
  return createUsageCounter({ tell, clock: () => hour + 60_000, logger, everyMs });
}

const tellNow = () => vi.advanceTimersByTimeAsync(everyMs);

/** What a client throws that has no connection. */
async function notConnected(): Promise<unknown> {
  const status = async function* () {};
  const connection = { subscribe: () => ({ unsubscribe: () => undefined }), status, isClosed: () => true, info: {} };
  const client = createClient({ connection: connection as never });
  const endpoint = { subject: 'keys.usage', service: 'keys', name: 'usage' } as never;
  const error = await client.request(endpoint, {}, { correlationId: 'test', timeoutMs: 10 }).catch((reason) => reason);
  client.close();
  return error;
}

it('adds up what a key was used for within an hour, and tells it once', async () => {
  const usage = counter();
  usage.count(7, true);
  usage.count(7, true);
  usage.count(7, false);
  usage.count(8, true);
  await tellNow();
  await tellNow();
  expect(told).toEqual([
    [
      { keyId: 7, hour, requests: 2, refused: 1 },
      { keyId: 8, hour, requests: 1, refused: 0 },
    ],
  ]);
  await usage.stop();
});

it('tells again what no instance of the service can have received', async () => {
  failure = await notConnected();
  expect(failure).toMatchObject({ status: 503 });
  const usage = counter();
  usage.count(7, true);
  await tellNow();
  failure = undefined;
  usage.count(7, true);
  await usage.stop();
  expect(told.at(-1)).toEqual([{ keyId: 7, hour, requests: 2, refused: 0 }]);
  expect(logger.warn).not.toHaveBeenCalled();
});

it('does not tell again what may have been added, such as when the database was lost in the middle', async () => {
  failure = new WireError({ status: 503, code: 'UNAVAILABLE', message: 'The store is away' });
  const usage = counter();
  usage.count(7, true);
  await tellNow();
  failure = undefined;
  usage.count(8, true);
  await usage.stop();
  expect(told.slice(1)).toEqual([[{ keyId: 8, hour, requests: 1, refused: 0 }]]);
  expect(logger.warn).toHaveBeenCalledExactlyOnceWith(expect.anything(), 'Counts of requests may be lost');
});
