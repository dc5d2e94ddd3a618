import { useTestMongo } from '@mneme/read-models/testing';
import { expect, it } from 'vitest';
import { countReplayed, firstReplayed } from './replayed-deliveries.ts';
import { createIndexes, type StoredDelivery, type WebhookCollections, webhookCollections } from './rows.ts';

/** More than MongoDB looks at to compare indexes. */
const count = 12_000;
const webhookId = 7;
const timeOf = (id: number) => new Date(Date.UTC(2026, 0, 1) + id * 1_000);
const delivery = (id: number): StoredDelivery => ({
  _id: id,
  webhookId,
  origin: webhookId,
  payload: '{}',
  bytes: 2,
  sourceIp: '192.0.2.1',
  createdAt: timeOf(id),
  status: id % 100 === 0 ? 'error' : 'processed',
  processedAt: null,
  error: null,
});

/** An entry of MongoDB's profiler. */
interface Operation {
  readonly docsExamined: number;
  /** Whether several plans were tried, whose documents are not counted. */
  readonly fromMultiPlanner?: boolean;
}

const mongo = useTestMongo();

/** A collection with deliveries, and what MongoDB has examined for each operation on it. */
async function storedDeliveries(name: string, makeIndexes: (rows: WebhookCollections) => Promise<unknown>) {
  const db = mongo.client.db(name);
  const rows = webhookCollections(db, 1);
  await makeIndexes(rows);
  await rows.deliveries.insertMany(Array.from({ length: count }, (_, index) => delivery(index + 1)));
  await db.setProfilingLevel('all');
  const examined = async () => {
    await db.setProfilingLevel('off');
    const operations = db.collection<Operation>('system.profile').find({
      ns: rows.deliveries.namespace,
      planSummary: { $exists: true },
    });
    return (await operations.toArray()).map(({ docsExamined: deliveries, fromMultiPlanner = false }) => {
      return { deliveries, fromMultiPlanner };
    });
  };
  return { rows, examined };
}

const range = { webhookId, upTo: count, cursor: 0 };
const processed = { ...range, status: 'processed', since: timeOf(count - 10) } as const;
const failed = { ...range, status: 'error', since: timeOf(150), cursor: 200 } as const;

it('the deliveries of a replay are counted and found in an index alone', async () => {
  const { rows, examined } = await storedDeliveries('replayed', createIndexes);
  expect(await countReplayed(rows, processed)).toBe(10);
  expect(await firstReplayed(rows, processed, 3)).toEqual([11_990, 11_991, 11_992]);
  expect(await countReplayed(rows, failed)).toBe(118);
  expect(await firstReplayed(rows, failed, 2)).toEqual([300, 400]);
  expect(await countReplayed(rows, { ...failed, since: null, cursor: 0 })).toBe(120);
  expect(await countReplayed(rows, { ...processed, webhookId: 8 })).toBe(0);
  expect(await examined()).toEqual(Array(6).fill({ deliveries: 0, fromMultiPlanner: false }));
});

it('they are also found in a version of an earlier release, which does not have the index', async () => {
  const indexOfThen = { webhookId: 1, status: 1, _id: 1 } as const;
  const { rows } = await storedDeliveries('earlier', ({ deliveries }) => deliveries.createIndex(indexOfThen));
  expect(await countReplayed(rows, failed)).toBe(118);
  expect(await firstReplayed(rows, failed, 2)).toEqual([300, 400]);
});
