import type { Binary, ClientSession, Db, MongoClient } from 'mongodb';
import { projectionKey } from '../projection/projection.ts';

interface WriterDocument {
  readonly _id: string;
  /** The id of the session that writes. */
  readonly session: Binary;
}

/**
 * Starts the session in which a projection writes, and ends what the writer before it left open: a process that is
 * killed in the middle of a transaction keeps its locks otherwise for the minute that the server gives transactions.
 * A writer that still lives only has to repeat its transaction, and finds itself fenced then.
 */
export async function startWriterSession(
  client: MongoClient,
  db: Db,
  projection: { name: string; version: number },
): Promise<ClientSession> {
  const session = client.startSession();
  try {
    await takeOver(db, projectionKey(projection), session);
    return session;
  } catch (error) {
    await session.endSession();
    throw error;
  }
}

async function takeOver(db: Db, _id: string, session: ClientSession): Promise<void> {
  const writers = db.collection<WriterDocument>('projection_writers');
  const own = session.id?.id;
  if (!own) throw new Error('The session has no id');
  const before = await writers.findOneAndUpdate({ _id }, { $set: { session: own } }, { upsert: true });
  if (!before || before.session.toString('hex') === own.toString('hex')) return;
  // Where that is not allowed, the server ends the transaction itself in the end.
  await db.command({ killSessions: [{ id: before.session }] }).catch(() => undefined);
}
