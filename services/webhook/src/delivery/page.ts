import type { Collection, Filter, Sort } from 'mongodb';
import type { StoredCall } from '../webhook-rows/rows.ts';

export interface CallPage {
  readonly filter: Filter<StoredCall>;
  readonly sort: Sort;
  readonly limit: number;
  readonly offset: number;
}

/** Payloads that one answer holds, unless one alone is larger. */
const maxAnswerBytes = 8 * 1024 * 1024;

/** Reads a page of calls, or as much of its beginning as one answer can hold. */
export async function fitting(
  calls: Collection<StoredCall>,
  { filter, sort, limit, offset }: CallPage,
): Promise<{ calls: StoredCall[]; isCut: boolean }> {
  const sizes = await calls
    .find(filter, { projection: { bytes: 1 } })
    .sort(sort)
    .skip(offset)
    .limit(limit)
    .toArray();
  const ids = beginning(sizes);
  const found = await calls.find({ _id: { $in: ids } }).toArray();
  const byId = new Map(found.map((call) => [call._id, call]));
  const inOrder = ids.flatMap((id) => byId.get(id) ?? []);
  return { calls: inOrder, isCut: ids.length < sizes.length };
}

/** The ids of those that fit, from the front. */
export function beginning(calls: readonly Pick<StoredCall, '_id' | 'bytes'>[]): number[] {
  const ids: number[] = [];
  let left = maxAnswerBytes;
  for (const { _id, bytes } of calls) {
    left -= bytes;
    if (left < 0 && ids.length > 0) break;
    ids.push(_id);
  }
  return ids;
}
