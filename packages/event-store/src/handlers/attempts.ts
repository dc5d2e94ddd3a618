import { JetStreamApiError } from '@nats-io/jetstream';
import type { KV } from '@nats-io/kv';
import { openBucket, storedEntry } from '../buckets/make-bucket.ts';
import { replicasOf } from '../log/ensure-stream.ts';
import type { CompleteOptions } from './handler-options.ts';
import type { PulledMessage } from './pulled-message.ts';

/**
 * What became of earlier tries of an event. The number of its deliveries does not tell: an event that waits for its turn is
 * delivered again when its instance ends, without having been tried.
 */
export interface Attempts {
  /** A try begins that may end the process. @returns how many such tries have ended in nothing since the last failure */
  begin(message: PulledMessage): Promise<number>;
  /** What has begun was given back, and is no interruption. */
  handBack(message: PulledMessage): Promise<void>;
  /** A try has failed. @returns how many have, with this one */
  fail(message: PulledMessage): Promise<number>;
}

interface Counts {
  /** When the event was stored, in milliseconds since 1970: a restored log may have another one at this sequence. */
  readonly timeMs: number;
  readonly failures: number;
  readonly begun: number;
}

/** A cluster without a leader, which may have one a moment later. */
const unavailableStatus = 503;
/** An event that fails is tried again after 15 minutes at the latest. */
const ttlMs = 24 * 60 * 60_000;
const bucketOptions = {
  name: 'handler-attempts',
  description: 'Failures and interruptions of events that handlers try again',
  history: 1,
  maxBytes: 16 * 1024 * 1024,
  ttlMs,
} as const;

/** Keeps the counts in a NATS KV bucket, made for the first event that fails. They are written only for such events. */
export function createAttempts({
  connection,
  stream,
  durable,
  maxTries,
}: Pick<CompleteOptions<never>, 'connection' | 'stream' | 'durable' | 'maxTries'>): Attempts {
  let opening: Promise<KV> | undefined;
  /** The sequences of events that were given back while this could not be kept, most likely because the log was away. */
  const handedBack = new Set<number>();
  const count = async ({ sequence, timeMs }: PulledMessage, next: (counts: Counts) => Partial<Counts>) => {
    opening ??= openBucketOf(connection, stream);
    const bucket = await opening;
    const key = `${stream}.${durable}.${sequence}`;
    const stored = (await storedEntry(bucket, key))?.json<Counts>();
    const counts = stored?.timeMs === timeMs ? stored : { timeMs, failures: 0, begun: 0 };
    await bucket.put(key, JSON.stringify({ ...counts, ...next(counts) }));
    return counts;
  };
  const change = async (message: PulledMessage, next: (counts: Counts) => Partial<Counts>) => {
    try {
      return await count(message, next);
    } catch (error) {
      // It may be gone, and is made again for the next event.
      opening = undefined;
      if (!(error instanceof JetStreamApiError) || error.status === unavailableStatus) throw error;
      // A bucket that is full says nothing about the event: then its deliveries count.
      const earlier = message.deliveryCount - 1;
      return { timeMs: message.timeMs, failures: earlier, begun: earlier - maxTries };
    }
  };
  return {
    begin: async (message) => {
      const uncounted = handedBack.has(message.sequence) ? 1 : 0;
      const { begun } = await change(message, (counts) => ({ begun: counts.begun - uncounted + 1 }));
      handedBack.delete(message.sequence);
      return begun - uncounted;
    },
    handBack: async (message) => {
      handedBack.add(message.sequence);
      await change(message, ({ begun }) => ({ begun: Math.max(0, begun - 1) }));
      handedBack.delete(message.sequence);
    },
    fail: async (message) =>
      (await change(message, ({ failures }) => ({ failures: failures + 1, begun: 0 }))).failures + 1,
  };
}

async function openBucketOf(connection: CompleteOptions<never>['connection'], stream: string): Promise<KV> {
  return openBucket(connection, { ...bucketOptions, replicas: await replicasOf(connection, stream) });
}
