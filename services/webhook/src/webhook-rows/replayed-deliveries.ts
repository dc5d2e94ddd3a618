import type { Collection, Filter } from 'mongodb';
import { replayIndex, type StoredDelivery, type StoredReplay, type WebhookCollections } from './rows.ts';

/** Which deliveries of a webhook are replayed: those of a status, since a time, after `cursor` and up to `upTo`. */
export type ReplayedRange = Pick<StoredReplay, 'status' | 'since' | 'upTo' | 'cursor'> & {
  readonly webhookId: number;
};

export async function countReplayed({ deliveries }: WebhookCollections, range: ReplayedRange): Promise<number> {
  return deliveries.countDocuments(replayedFilter(range), await hintFor(deliveries));
}

/** The ids of the first ones, at most `limit`. */
export async function firstReplayed(
  { deliveries }: WebhookCollections,
  range: ReplayedRange,
  limit: number,
): Promise<number[]> {
  const found = await deliveries
    .find(replayedFilter(range), { projection: { _id: 1 }, ...(await hintFor(deliveries)) })
    .sort({ webhookId: 1, status: 1, _id: 1 })
    .limit(limit)
    .toArray();
  return found.map(({ _id }) => _id);
}

function replayedFilter({ webhookId, status, since, upTo, cursor }: ReplayedRange): Filter<StoredDelivery> {
  const received = since ? { createdAt: { $gte: since } } : {};
  return { webhookId, status, _id: { $gt: cursor, $lte: upTo }, ...received };
}

/**
 * Names the index: to choose one, MongoDB tries others as well, and fetches up to a third of all deliveries for that. A
 * version that an earlier release has made does not have it until it is rebuilt.
 */
async function hintFor(deliveries: Collection<StoredDelivery>): Promise<{ hint?: string }> {
  return (await deliveries.indexExists(replayIndex.name)) ? { hint: replayIndex.name } : {};
}
