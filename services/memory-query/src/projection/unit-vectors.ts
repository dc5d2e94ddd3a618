import type { LexicalEncoder } from '@mneme/models';
import type { Verification } from '@mneme/read-models';
import type { MemoryContents } from '../read-model/memory-contents.ts';
import { pointOf } from './unit-point.ts';

const unitsAtOnce = 500;

/**
 * Compares the units in MongoDB with the points in Qdrant: adds points that are missing, and removes points that have no
 * unit. What is being written meanwhile is left alone.
 */
export async function verifyVectors(
  { collections, vectors }: MemoryContents,
  lexical: LexicalEncoder,
): Promise<Verification> {
  const { units } = collections;
  const [newest] = await units
    .find({}, { projection: { sequence: 1 } })
    .sort({ sequence: -1 })
    .limit(1)
    .toArray();
  let [checked, missing, orphans] = [0, 0, 0];
  for (let after = ''; ; ) {
    const rows = await units
      .find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(unitsAtOnce)
      .toArray();
    const last = rows.at(-1);
    if (!last) break;
    const known = await vectors.existing(rows.map(({ _id }) => _id));
    const lost = rows.filter(({ _id }) => !known.has(_id));
    const points = lost.map(({ vector, ...unit }) => pointOf({ unit, vector: vector.toString('base64') }, lexical));
    // Written as of the unit's own event, so that a newer point is never replaced.
    for (const point of points) await vectors.upsert([point], point.sequence);
    checked += rows.length;
    missing += lost.length;
    after = last._id;
  }
  for await (const ids of vectors.pages(newest?.sequence ?? 0)) {
    const rows = await units.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray();
    const known = new Set(rows.map(({ _id }) => _id));
    const orphaned = ids.filter((id) => !known.has(id));
    await vectors.remove(orphaned, (newest?.sequence ?? 0) + 1);
    orphans += orphaned.length;
  }
  return { checked, repaired: { 'units without a vector': missing, 'vectors without a unit': orphans } };
}
