import type { QdrantClient } from '@qdrant/js-client-rest';
import type { Db } from 'mongodb';
import { markId } from '../vectors/qdrant-vectors.ts';

/** A database of MongoDB, and the collection of vectors that belongs to it. */
export interface Reusable {
  readonly db: Db;
  /** The name of the collection of vectors. */
  readonly vectors: string;
  /** What a test may not have changed: see `shapeOf`. */
  readonly shape: string;
}

type Stores = Omit<Reusable, 'shape'> & { readonly qdrant: QdrantClient };

/** Is made with the first write. */
const madeLate = 'vector_stamps';

/** The collections and their indexes: a test that drops, makes or profiles some leaves another shape. */
export async function shapeOf({ db, qdrant, vectors }: Stores): Promise<string> {
  const collections = (await db.collections()).filter(({ collectionName }) => collectionName !== madeLate);
  const indexes = await Promise.all(
    collections.map(async (each) => [
      each.collectionName,
      each.collectionName.startsWith('system.') || (await each.listIndexes().toArray()),
    ]),
  );
  const [mark] = await qdrant.retrieve(vectors, { ids: [markId], with_payload: ['mark'] }).catch(() => []);
  return JSON.stringify([indexes.sort(), mark ?? null]);
}

/**
 * Removes all rows and vectors. Takes a thirtieth of the processor time of making them anew, most of which is Qdrant's.
 *
 * @returns whether they are as good as new
 */
export async function empty({ shape, ...stores }: Reusable & { readonly qdrant: QdrantClient }): Promise<boolean> {
  if ((await shapeOf(stores)) !== shape) return false;
  const { db, qdrant, vectors } = stores;
  const collections = await db.collections();
  await Promise.all(collections.map((each) => each.deleteMany({})));
  await qdrant.delete(vectors, { wait: true, filter: { must_not: [{ has_id: [markId] }] } });
  await qdrant.deletePayload(vectors, { wait: true, keys: ['stamp'], points: [markId] });
  return true;
}
