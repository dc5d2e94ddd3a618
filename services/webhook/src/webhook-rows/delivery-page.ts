import type { DeliveryReply } from '@mneme/contracts';
import type { Collection, Filter, Sort } from 'mongodb';
import type { StoredDelivery } from './rows.ts';

export interface DeliveryPage {
  readonly filter: Filter<StoredDelivery>;
  readonly sort: Sort;
  readonly limit: number;
  readonly offset: number;
}

/** The most bytes of payloads in one reply, unless one payload alone is larger. */
const maxReplyBytes = 8 * 1024 * 1024;

/** Reads a page of deliveries, or as many of its first ones as fit into one reply. */
export async function readPage(
  deliveries: Collection<StoredDelivery>,
  { filter, sort, limit, offset }: DeliveryPage,
): Promise<{ deliveries: StoredDelivery[]; isCut: boolean }> {
  const sizes = await deliveries
    .find(filter, { projection: { bytes: 1 } })
    .sort(sort)
    .skip(offset)
    .limit(limit)
    .toArray();
  const ids = idsThatFit(sizes);
  const found = await deliveries.find({ _id: { $in: ids } }).toArray();
  const byId = new Map(found.map((delivery) => [delivery._id, delivery]));
  const inOrder = ids.flatMap((id) => byId.get(id) ?? []);
  return { deliveries: inOrder, isCut: ids.length < sizes.length };
}

/** The ids of the first deliveries that together fit into one reply. */
export function idsThatFit(deliveries: readonly Pick<StoredDelivery, '_id' | 'bytes'>[]): number[] {
  const ids: number[] = [];
  let left = maxReplyBytes;
  for (const { _id, bytes } of deliveries) {
    left -= bytes;
    if (left < 0 && ids.length > 0) break;
    ids.push(_id);
  }
  return ids;
}

/** A delivery as a log of its webhook. */
export function toDelivery(webhookId: number, delivery: StoredDelivery): DeliveryReply {
  const { createdAt, processedAt } = delivery;
  // The two are by the clocks of two processes.
  const shownAt = processedAt && processedAt < createdAt ? createdAt : processedAt;
  return {
    id: delivery._id,
    webhook_id: webhookId,
    payload: delivery.payload,
    source_ip: delivery.sourceIp,
    status: delivery.status,
    created_at: createdAt.toISOString(),
    processed_at: shownAt?.toISOString() ?? null,
    error_message: delivery.error,
  };
}
