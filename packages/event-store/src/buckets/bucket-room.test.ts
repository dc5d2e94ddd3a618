import { expect, it } from 'vitest';
import { useTestLog } from '../testing/test-log.ts';
import { createBucketRoom } from './bucket-room.ts';
import { makeBucket } from './make-bucket.ts';

const log = useTestLog();

it('leaves a tenth of a bucket for records that become larger, and half of what is left to the next owner', async () => {
  const options = { name: 'roomy', description: 'test', history: 1, replicas: 1, maxBytes: 20_000 };
  const bucket = await makeBucket(log.connection, options);
  // Nothing is written, so it may measure but once.
  const room = createBucketRoom(log.connection, 'roomy', 'records', () => 0);
  const fill = async (owner: string, count = 0): Promise<number> => {
    const refused = await room.take(owner, 1_000).catch((error: unknown) => error);
    if (refused === undefined) return fill(owner, count + 1);
    const message = 'There is no room for more records. The operator of Mneme has to enlarge the bucket roomy';
    expect(refused).toMatchObject({ status: 503, code: 'UNAVAILABLE', message });
    return count;
  };
  expect([await fill('a'), await fill('b')]).toEqual([9, 5]);
  const filled = createBucketRoom(log.connection, 'roomy', 'records');
  await bucket.put('key', 'x'.repeat(18_000));
  await expect(filled.take('c', 100)).rejects.toMatchObject({ status: 503 });
  await bucket.put('other', 'x'.repeat(1_000));
});

it('refuses nothing in a bucket whose bound an operator has removed', async () => {
  await makeBucket(log.connection, { name: 'unbounded', description: 'test', history: 1, replicas: 1 });
  await expect(createBucketRoom(log.connection, 'unbounded', 'records').take('a', 1_000)).resolves.toBeUndefined();
});

it('refuses nothing while a bucket that was lost is not there', async () => {
  await expect(createBucketRoom(log.connection, 'lost', 'records').take('a', 1_000)).resolves.toBeUndefined();
});
