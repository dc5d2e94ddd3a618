import { type ClientSession, type MongoClient, MongoError, type TransactionOptions } from 'mongodb';
import type { ReadableRows } from './reads.ts';
import { findRemovals } from './removals.ts';

/**
 * Rows of one moment, whatever is written meanwhile. Each read has to be given the session, and they cannot be made at the
 * same time.
 */
export interface Snapshot extends ReadableRows {
  readonly session: ClientSession;
}

/**
 * All reads of a transaction see the same moment, also with `local`. A session with `snapshot: true` reads what a majority has
 * acknowledged, which may be older than the position that a read has waited for.
 */
const transaction: TransactionOptions = {
  readConcern: { level: 'local' },
  writeConcern: { w: 1 },
  readPreference: 'primary',
};
/** How often a transaction is tried that the server cuts off: the driver does not repeat its reads. */
const maxTries = 3;

/**
 * Lets several reads of an agent, or of a space, see its rows and its removals of one moment.
 * @param read is called again when the server cuts it off, for example because there is another primary
 */
export async function inSnapshot<T>(
  { collections }: Pick<ReadableRows, 'collections'>,
  of: Parameters<typeof findRemovals>[1],
  read: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const { client } = collections.removals.db;
  const readAll = async (session: ClientSession) =>
    read({ collections, removals: await findRemovals(collections, of, { session }), session });
  for (let triesLeft = maxTries - 1; ; triesLeft -= 1) {
    try {
      return await readOnly(client, readAll);
    } catch (error) {
      const isCutOff = error instanceof MongoError && error.hasErrorLabel('TransientTransactionError');
      if (!isCutOff || triesLeft === 0) throw error;
    }
  }
}

function readOnly<T>(client: MongoClient, read: (session: ClientSession) => Promise<T>): Promise<T> {
  return client.withSession(async (session) => {
    session.startTransaction(transaction);
    try {
      return await read(session);
    } finally {
      // It has written nothing; a commit would wait for what it has read to be acknowledged.
      await session.abortTransaction();
    }
  });
}
