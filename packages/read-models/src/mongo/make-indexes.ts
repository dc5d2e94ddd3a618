import { isUnavailable } from '@mneme/service-kit';
import { type Collection, type IndexDescription, MongoServerError } from 'mongodb';

/** Indexes that a collection needs. Only one that queries name by its name has a name. */
export type NeededIndexes = readonly [Pick<Collection, 'createIndexes'>, readonly IndexDescription[]];

/**
 * Makes the indexes of several collections; does nothing where they are there. Each is made also where another cannot be.
 * @throws the first failure, when all others are made
 */
export async function makeIndexes(needed: readonly NeededIndexes[]): Promise<void> {
  await untilAllSettled(needed.map(makeOfOne));
}

/** One command reads the rows once for all of its indexes, but makes none where the server refuses one. */
async function makeOfOne([collection, indexes]: NeededIndexes): Promise<void> {
  try {
    await collection.createIndexes([...indexes]);
  } catch (error) {
    if (!(error instanceof MongoServerError) || isUnavailable(error)) throw error;
    await untilAllSettled(indexes.map((index) => makeAlone(collection, index)));
  }
}

async function makeAlone(collection: Pick<Collection, 'createIndexes'>, index: IndexDescription): Promise<void> {
  try {
    await collection.createIndexes([index]);
  } catch (error) {
    if (index.name !== undefined || !servesUnderAnotherName(error)) throw error;
  }
}

async function untilAllSettled(work: readonly Promise<void>[]): Promise<void> {
  const settled = await Promise.allSettled(work);
  const failed = settled.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
}

/** The code where an index has the same keys, and another name or other options. */
const indexOptionsConflict = 85;

/** It has the same keys and options, such as one made by hand. MongoDB has other words where an option differs. */
function servesUnderAnotherName(error: unknown): boolean {
  if (!(error instanceof MongoServerError) || error.code !== indexOptionsConflict) return false;
  return error.message.startsWith('Index already exists with a different name: ');
}
