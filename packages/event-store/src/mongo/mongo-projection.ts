import { type ClientSession, type Db, type MongoClient, MongoServerError } from 'mongodb';
import { FencedError } from '../errors.ts';
import { type Projection, projectionKey } from '../projection/projection.ts';
import type { Recorded } from '../recorded.ts';
import { mongoCheckpoints } from './mongo-checkpoints.ts';
import { startWriterSession } from './writer-session.ts';

export interface MongoProjectionOptions<E, Plan> {
  readonly client: MongoClient;
  readonly db: Db;
  readonly name: string;
  readonly version: number;
  /** The types that it uses; all types of the catalog unless given. */
  readonly types?: readonly string[];
  /**
   * Works out what is to be written, and does what cannot be part of the transaction, before it. It must do no harm when
   * it is repeated, or when the transaction never happens. What it has read stays true: the transaction fails when
   * another projector has written since.
   */
  readonly prepare: (events: readonly Recorded<E>[]) => Promise<Plan>;
  /** Writes within the session's transaction; it is called again when the transaction has to be repeated. */
  readonly write: (plan: Plan, session: ClientSession) => Promise<void>;
}

/** A projection into MongoDB: the writes of one batch and the move of the checkpoint are one transaction. */
export function mongoProjection<E, Plan>(options: MongoProjectionOptions<E, Plan>): Projection<E> {
  const { client, db, name, version, types, prepare } = options;
  const checkpoints = mongoCheckpoints(db);
  const key = { name, version };
  let session: ClientSession | undefined;
  return {
    ...key,
    ...(types ? { types } : {}),
    readPosition: () => checkpoints.read(key),
    apply: async (events, advance) => {
      session ??= await startWriterSession(client, db, key);
      if (events.length === 0) return checkpoints.advance(key, advance);
      const plan = await prepare(events);
      const write = session.withTransaction(async (transaction) => {
        // The checkpoint first: a second projector then waits or fails here, before it has written anything.
        await checkpoints.advance(key, advance, transaction);
        await options.write(plan, transaction);
      });
      await write.catch((error: unknown) => {
        throw isInterrupted(error) ? new FencedError(projectionKey(key), advance.from, { cause: error }) : error;
      });
    },
  };
}

/** `Interrupted` and `NoSuchTransaction`. */
const interruptedCodes: ReadonlySet<unknown> = new Set([11601, 251]);

/** The server ends a transaction when the writer after this one has asked for that. */
function isInterrupted(error: unknown): boolean {
  return error instanceof MongoServerError && interruptedCodes.has(error.code);
}
