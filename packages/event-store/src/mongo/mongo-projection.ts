import type { ClientSession, Db, MongoClient } from 'mongodb';
import type { Projection } from '../projection/projection.ts';
import type { Recorded } from '../recorded.ts';
import { mongoCheckpoints } from './mongo-checkpoints.ts';

export interface MongoProjectionOptions<E> {
  readonly client: MongoClient;
  readonly db: Db;
  readonly name: string;
  readonly version: number;
  /** The types that it uses; all types of the catalog unless given. */
  readonly types?: readonly string[];
  /**
   * Does what cannot be part of the transaction, before it; it must do no harm when it is repeated, or when the transaction never happens.
   */
  readonly prepare?: (events: readonly Recorded<E>[]) => Promise<void>;
  /** Writes within the session's transaction; it is called again when the transaction has to be repeated. */
  readonly write: (events: readonly Recorded<E>[], session: ClientSession) => Promise<void>;
}

/** A projection into MongoDB: the writes of one batch and the move of the checkpoint are one transaction. */
export function mongoProjection<E>(options: MongoProjectionOptions<E>): Projection<E> {
  const { client, db, name, version, types, prepare, write } = options;
  const checkpoints = mongoCheckpoints(db);
  const key = { name, version };
  return {
    ...key,
    ...(types ? { types } : {}),
    readPosition: () => checkpoints.read(key),
    apply: async (events, advance) => {
      if (events.length === 0) return checkpoints.advance(key, advance);
      await prepare?.(events);
      await client.withSession((session) =>
        session.withTransaction(async () => {
          // The checkpoint first: a second projector then waits or fails here, before it has written anything.
          await checkpoints.advance(key, advance, session);
          await write(events, session);
        }),
      );
    },
  };
}
