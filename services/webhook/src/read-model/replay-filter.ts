import type { Filter } from 'mongodb';
import type { StoredDelivery, StoredReplay } from '../webhook-rows/rows.ts';

/** The calls that a replay is about and that come after its cursor. */
export function replayed(
  webhookId: number,
  { status, since, upTo, cursor }: Pick<StoredReplay, 'status' | 'since' | 'upTo' | 'cursor'>,
): Filter<StoredDelivery> {
  const received = since ? { createdAt: { $gte: since } } : {};
  return { webhookId, status, _id: { $gt: cursor, $lte: upTo }, ...received };
}
