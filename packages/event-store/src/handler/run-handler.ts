import type { DomainEvent } from '@mneme/contracts';
import { ensureConsumer, pendingOf } from './consumer.ts';
import { createDelivery } from './delivery.ts';
import type { HandlerOptions } from './handler-options.ts';
import { answerRetries } from './retry.ts';
import { startWorker } from './worker.ts';

export interface RunningHandler {
  /** Takes no new events, lets running work end for a bounded time, and gives back what is left. */
  stop(): Promise<void>;
  /** How many events wait or are being worked on, in all instances. */
  pending(): Promise<number>;
}

const defaultStopTimeoutMs = 10_000;

/**
 * Runs a handler: every event of the given types is handled at least once, is tried a bounded number of times, and is
 * never dropped. What cannot be read is parked. Goes on after the server was killed and restarted.
 * @throws Error when the durable consumer cannot be made.
 */
export async function runHandler<E extends DomainEvent, T extends E['type']>(
  options: HandlerOptions<E, T>,
): Promise<RunningHandler> {
  await ensureConsumer(options);
  const aborting = new AbortController();
  const deliver = createDelivery(options, aborting.signal);
  const workers = Array.from({ length: options.concurrency }, () => startWorker(options, deliver));
  const retries = answerRetries(options, aborting.signal);
  return {
    pending: () => pendingOf(options),
    stop: async () => {
      retries.stop();
      const ending = setTimeout(() => aborting.abort(), options.stopTimeoutMs ?? defaultStopTimeoutMs);
      await Promise.all(workers.map((worker) => worker.stop()));
      clearTimeout(ending);
      if (!options.connection.isClosed()) await options.connection.flush().catch(() => undefined);
    },
  };
}
