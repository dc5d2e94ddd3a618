import { setTimeout as pause } from 'node:timers/promises';
import type { StoredContents } from '../read-model/read-model.ts';
import { isRemoved, removalFields } from '../read-model/removals.ts';

/** How many of the units that were stored last are looked for. */
const newestUnits = 20;
/** What is written or removed just now is done after this time, also when it had to be tried again, in milliseconds. */
const settledMs = 5_000;

/**
 * Whether Qdrant lacks units that were stored last, as after a backup of Qdrant that is older than that of MongoDB was
 * restored. Their points are written before their rows.
 * @param waitMs how long something may be missing before that counts
 */
export async function lacksNewest(contents: StoredContents, waitMs = settledMs): Promise<boolean> {
  const newest = contents.collections.units.find({}, { projection: { _id: 1 } }).sort({ $natural: -1 });
  const ids = (await newest.limit(newestUnits).toArray()).map(({ _id }) => _id);
  const missing = await withoutPoint(contents, ids);
  if (missing.length === 0) return false;
  await pause(waitMs);
  return (await withoutPoint(contents, missing)).length > 0;
}

/** Those of some units that have no point and are not being removed, which begins with the point. */
async function withoutPoint({ collections, vectors }: StoredContents, ids: readonly string[]): Promise<string[]> {
  const missing = await vectors.missing(ids);
  if (missing.length === 0) return [];
  const rows = await collections.units.find({ _id: { $in: missing } }, { projection: removalFields }).toArray();
  const agentKeys = [...new Set(rows.map(({ agentKey }) => agentKey))];
  const removals = await collections.removals.find({ agentKey: { $in: agentKeys } }).toArray();
  return rows.filter((row) => !isRemoved(row, removals)).map(({ _id }) => _id);
}
