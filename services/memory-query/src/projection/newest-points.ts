import type { StoredContents } from '../read-model/read-model.ts';
import { isRemoved, removalFields } from '../read-model/removals.ts';

/** How many of the units that were stored last are looked for. */
const newestUnits = 20;
/** Another batch may just be writing the same units. */
const looks = 3;

/**
 * Whether Qdrant lacks units that were stored last, as after a backup of Qdrant that is older than that of MongoDB was
 * restored. Their points are written before their rows; but before a row is removed or changed, or when an instance is
 * killed meanwhile, its point may be missing until the event is applied.
 * @param isSettled waits until everything about an agent is applied; false when that takes too long
 */
export async function lacksNewest(
  contents: StoredContents,
  isSettled: (agentKey: string) => Promise<boolean>,
): Promise<boolean> {
  const newest = contents.collections.units.find({}, { projection: { _id: 1 } }).sort({ $natural: -1 });
  let ids = (await newest.limit(newestUnits).toArray()).map(({ _id }) => _id);
  for (let look = 1; look <= looks; look += 1) {
    const missing = await withoutPoint(contents, ids);
    if (missing.length === 0) return false;
    const agentKeys = new Set(missing.map(({ agentKey }) => agentKey));
    const settled = await Promise.all([...agentKeys].map(isSettled));
    if (!settled.every(Boolean)) return false;
    ids = missing.map(({ _id }) => _id);
  }
  return (await withoutPoint(contents, ids)).length > 0;
}

/** Those of some units that have no point and are not being removed, which begins with the point. */
async function withoutPoint({ collections, vectors }: StoredContents, ids: readonly string[]) {
  const missing = await vectors.missing(ids);
  if (missing.length === 0) return [];
  const rows = await collections.units.find({ _id: { $in: missing } }, { projection: removalFields }).toArray();
  const agentKeys = [...new Set(rows.map(({ agentKey }) => agentKey))];
  const removals = await collections.removals.find({ agentKey: { $in: agentKeys } }).toArray();
  return rows.filter((row) => !isRemoved(row, removals));
}
