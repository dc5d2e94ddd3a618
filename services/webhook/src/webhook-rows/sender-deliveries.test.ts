import { useTestMongo } from '@mneme/read-models/testing';
import type { Document } from 'mongodb';
import { expect, it } from 'vitest';
import { senderDeliveryWrites } from './row-writes.ts';
import { webhookCollections } from './rows.ts';
import { SeenSenderDeliveries } from './sender-deliveries.ts';

/** As in the writes of a store. */
type Rows = Record<string, Document & { readonly _id: number | string }>;

const onDay = (day: number) => new Date(Date.UTC(2026, 0, day));

const mongo = useTestMongo();

it('ids are deleted two days after a newer one of the same webhook, however far other webhooks are', async () => {
  const { senderDeliveries } = webhookCollections(mongo.client.db('seen'), 1);
  const store = async (deliveries: readonly (readonly [webhookId: number, day: number])[]) => {
    const seen = new SeenSenderDeliveries(new Map());
    for (const [webhookId, day] of deliveries) seen.isRepeated(webhookId, `${webhookId} of day ${day}`, onDay(day));
    await mongo.client.bulkWrite<Rows>(await senderDeliveryWrites(senderDeliveries, seen));
    return (await senderDeliveries.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
  };
  await store([
    [1, 9],
    [2, 1],
  ]);
  const behind = await store([
    [1, 12],
    [2, 2],
  ]);
  expect(behind).toEqual(['1 of day 12', '2 of day 1', '2 of day 2']);
  expect(await store([[2, 4]])).toEqual(['1 of day 12', '2 of day 2', '2 of day 4']);
});

it('many ids that expire at once are deleted with several batches', async () => {
  const { senderDeliveries } = webhookCollections(mongo.client.db('many'), 1);
  const old = Array.from({ length: 1_500 }, (_, index) => ({ _id: `1 old ${index}`, webhookId: 1, at: onDay(1) }));
  await senderDeliveries.insertMany(old);
  const store = async (id: string) => {
    const seen = new SeenSenderDeliveries(new Map());
    seen.isRepeated(1, id, onDay(9));
    await mongo.client.bulkWrite<Rows>(await senderDeliveryWrites(senderDeliveries, seen));
    return senderDeliveries.countDocuments();
  };
  expect(await store('1 new')).toBe(499);
  expect(await store('1 newer')).toBe(2);
});

it('an id that was seen while a clock was far ahead repeats nothing before that, and no id is deleted for it', async () => {
  const { senderDeliveries } = webhookCollections(mongo.client.db('ahead'), 1);
  const receive = async (id: string, at: Date) => {
    const stored = new Map((await senderDeliveries.find().toArray()).map((delivery) => [delivery._id, delivery.at]));
    const seen = new SeenSenderDeliveries(stored);
    const isRepeated = seen.isRepeated(1, id, at);
    if (!isRepeated) await mongo.client.bulkWrite<Rows>(await senderDeliveryWrites(senderDeliveries, seen));
    return isRepeated;
  };
  const ahead = new Date(Date.UTC(2029, 0, 1));
  expect(await receive('a', onDay(9))).toBe(false);
  expect(await receive('b', ahead)).toBe(false);
  expect(await receive('b', ahead)).toBe(true);
  expect(await receive('b', onDay(9))).toBe(false);
  expect(await receive('b', onDay(9))).toBe(true);
  expect(await receive('a', onDay(9))).toBe(true);
});
