import { Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/nats-core';
import { openBucket, storedEntry } from '../buckets/make-bucket.ts';
import { UnreadableEventError } from '../errors.ts';
import { replicasOf, streamExists } from '../log/ensure-stream.ts';
import { type Log, reading } from '../log/log.ts';
import type { Position } from '../recorded.ts';

const name = 'discarded-events';

/** Remembers that an operator wants to continue without an event: what cannot be read of it is left out from now on. */
export async function rememberDiscarded(connection: NatsConnection, { stream, sequence }: Position): Promise<void> {
  const replicas = await replicasOf(connection, stream);
  const description = 'Events that operators have discarded';
  const bucket = await openBucket(connection, { name, description, history: 1, replicas });
  await bucket.put(keyOf({ stream, sequence }), '');
}

/**
 * Whether an error is that of an event which cannot be read, and which an operator has discarded. The leader is asked.
 * @throws EventLogUnavailableError when the log does not answer
 */
export async function isDiscarded(log: Pick<Log, 'connection' | 'stream'>, error: unknown): Promise<boolean> {
  if (!(error instanceof UnreadableEventError)) return false;
  return reading(log, async () => {
    // The bucket is made with the first event that is discarded.
    if (!(await streamExists(log.connection, `KV_${name}`))) return false;
    const bucket = await new Kvm(log.connection).open(name, { allow_direct: false });
    return (await storedEntry(bucket, keyOf(error.position))) !== undefined;
  });
}

function keyOf({ stream, sequence }: Position): string {
  return `${stream}.${sequence}`;
}
