import { isLeased, mongoCheckpoints, projectionKey } from '@mneme/event-store';
import type { Db } from 'mongodb';
import { memoryCollections } from './collections.ts';
import { memoryReadModel, type ReadModelStores, vectorsPrefix } from './open-read-model.ts';
import { forgetVersion, markRetired, retiredVersions } from './versions.ts';

type Stores = Pick<ReadModelStores, 'db' | 'qdrant'>;

const rowsOfVersion = /^units@(\d+)$/;

/**
 * Takes out every version of the read model but those to keep, and those that some instance still fills.
 * @returns the numbers of the versions that were taken out
 */
export async function retireVersions(stores: Stores, kept: readonly number[]): Promise<number[]> {
  const others = (await storedVersions(stores.db)).filter((version) => !kept.includes(version));
  for (const version of others) {
    const isFilled = await isLeased(stores.db, projectionKey({ name: memoryReadModel, version }));
    if (!isFilled) await markRetired(stores.db, memoryReadModel, [version]);
  }
  return dropRetired(stores);
}

/**
 * Takes out what is left of versions that were retired; an earlier try may have been cut off.
 *
 * The checkpoint goes after the rows: as long as any are left, an agent that is erased is looked for among them.
 */
export async function dropRetired({ db, qdrant }: Stores): Promise<number[]> {
  const versions = await retiredVersions(db, memoryReadModel);
  for (const version of versions) {
    const { collections } = await qdrant.getCollections();
    for (const { name } of collections) {
      if (name.startsWith(vectorsPrefix(db, version))) await qdrant.deleteCollection(name);
    }
    for (const rows of Object.values(memoryCollections(db, version))) await rows.drop();
    await mongoCheckpoints(db).reset({ name: memoryReadModel, version });
    await forgetVersion(db, memoryReadModel, version);
  }
  return versions;
}

async function storedVersions(db: Db): Promise<number[]> {
  const found = await db.listCollections({ name: rowsOfVersion }, { nameOnly: true }).toArray();
  return found.map(({ name }) => Number(rowsOfVersion.exec(name)?.[1])).sort((left, right) => left - right);
}
