import { retryAtStart } from '@mneme/workers/start-retry';
import { JetStreamApiError } from '@nats-io/jetstream';
import { errors, type NatsConnection } from '@nats-io/nats-core';
import { EventLogUnavailableError } from '../errors.ts';
import { answerTimeoutMs } from './log.ts';
import { readDirect } from './reading/direct-read.ts';

const pauseMs = 100;
const unavailableStatus = 503;

/** A stream that several servers keep, or a bucket, which is a stream too. */
export interface ReplicatedStream {
  readonly connection: NatsConnection;
  readonly stream: string;
  readonly replicas: number;
}

/**
 * Creates a stream unless it exists. A replicated stream is tried until it has a leader and answers reads: several services
 * that start at once ask for it while it is being created, and a lost server leaves it without a leader for some seconds.
 * @param make may be repeated
 * @throws what `make` throws; errors of a cluster that does not answer, when that takes longer than 30 s
 */
export async function makeAndAwaitLeader<T>(
  { connection, stream, replicas }: ReplicatedStream,
  make: () => Promise<T>,
): Promise<T> {
  if (replicas === 1) return make();
  const query = { stream, subject: '>', from: 1, limit: 1, timeoutMs: answerTimeoutMs };
  const makeAndRead = async () => {
    const made = await make();
    await readDirect(connection, query);
    return made;
  };
  return retryAtStart(makeAndRead, { pauseMs, isTransient: isWithoutAnswer });
}

/** Whether a cluster may answer a moment later. */
function isWithoutAnswer(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return error.status === unavailableStatus;
  return (
    error instanceof EventLogUnavailableError ||
    // What the client makes of a request that no server listens to; it exports no class for it.
    (error instanceof Error && error.name === 'JetStreamNotEnabled') ||
    error instanceof errors.TimeoutError ||
    error instanceof errors.NoRespondersError ||
    error instanceof errors.RequestError
  );
}
