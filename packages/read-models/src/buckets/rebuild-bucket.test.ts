import { expect, it } from 'vitest';
import { z } from 'zod';
import { useTestSystem } from '../testing/test-read-model.ts';
import { fillBucket } from './rebuild-bucket.ts';
import { RecordBucket } from './record-bucket.ts';

const keySchema = z.object({ state: z.enum(['active', 'revoked']), sequence: z.int() });
type Key = z.infer<typeof keySchema>;

const system = useTestSystem();

const older: [string, Key][] = [['a', { state: 'active', sequence: 50 }]];
const younger: [string, Key][] = [
  ['a', { state: 'revoked', sequence: 110 }],
  ['b', { state: 'active', sequence: 115 }],
];
const rules = { hasEnded: ({ state }: Key) => state === 'revoked' };
const folded = (position: number, records: [string, Key][]) => {
  const log = { lastEvent: null, createdAt: 'then', failed: [] };
  return { ...log, records: new Map(records), position };
};

async function filling() {
  const options = { name: `keys-${system.parts.stream}`, description: 'A test', history: 1, replicas: 1 };
  const bucket = await RecordBucket.open<Key>(system.parts.connection, { ...options, schema: keySchema });
  const { revision } = await bucket.checkpoint();
  const fill = (
    position: number,
    records: [string, Key][],
    meanwhile: () => Promise<void> = async () => undefined,
    assertHeld: () => void = () => undefined,
  ) =>
    fillBucket({
      bucket,
      rules,
      revision,
      form: 1,
      deferrals: null,
      assertHeld,
      onFailed: async () => undefined,
      fold: async () => {
        await meanwhile();
        return folded(position, records);
      },
    });
  const filled = async () => {
    const records = [...(await bucket.all())].map(([key, { record }]) => [key, record]);
    return { records: Object.fromEntries(records), position: (await bucket.checkpoint()).record?.sequence };
  };
  return { bucket, fill, filled };
}

it('a bucket that another instance fills meanwhile is left to that', async () => {
  const { fill, filled } = await filling();
  await expect(fill(100, older, async () => void (await fill(120, younger)))).rejects.toThrow('by another instance');
  expect(await filled()).toEqual({ records: Object.fromEntries(younger), position: 120 });
});

it('a bucket is filled no further once another instance may fill it', async () => {
  const { fill, filled } = await filling();
  const lapsed = () => {
    throw new Error('The lease has lapsed');
  };
  await expect(fill(100, older, undefined, lapsed)).rejects.toThrow('has lapsed');
  expect(await filled()).toEqual({ records: {}, position: undefined });
});

it('what another instance writes after the records were read is not replaced', async () => {
  const { bucket, fill, filled } = await filling();
  const all = bucket.all.bind(bucket);
  const fillAfterReading = async () => {
    bucket.all = async () => {
      bucket.all = all;
      const found = await all();
      await fill(120, younger);
      return found;
    };
  };
  await expect(fill(100, older, fillAfterReading)).rejects.toThrow('by another instance');
  expect(await filled()).toEqual({ records: Object.fromEntries(younger), position: 120 });
});
