import type { Collection, Filter, Sort } from 'mongodb';
import type { StoredDelivery } from '../webhook-rows/rows.ts';

export interface DeliveryPage {
  readonly filter: Filter<StoredDelivery>;
  readonly sort: Sort;
  readonly limit: number;
  readonly offset: number;
}

/** Payloads that one answer holds, unless one alone is larger. */
const maxAnswerBytes = 8 * 1024 * 1024;

/** Reads a page of calls, or as much of its beginning as one answer can hold. */
export async function fitting(
  deliveries: Collection<StoredDelivery>,
  { filter, sort, limit, offset }: DeliveryPage,
): Promise<{ deliveries: StoredDelivery[]; isCut: boolean }> {
  const sizes = await deliveries
    .find(filter, { projection: { bytes: 1 } })
    .sort(sort)
    .skip(offset)
    .limit(limit)
    .toArray();
  const ids = beginning(sizes);
  const found = await deliveries.find({ _id: { $in: ids } }).toArray();
  const byId = new Map(found.map((delivery) => [delivery._id, delivery]));
  const inOrder = ids.flatMap((id) => byId.get(id) ?? []);
  return { deliveries: inOrder, isCut: ids.length < sizes.length };
}

/** The ids of those that fit, from the front. */
export function beginning(deliveries: readonly Pick<StoredDelivery, '_id' | 'bytes'>[]): number[] {
  const ids: number[] = [];
  let left = maxAnswerBytes;
  for (const { _id, bytes } of deliveries) {
    left -= bytes;
    if (left < 0 && ids.length > 0) break;
    ids.push(_id);
  }
  return ids;
}
