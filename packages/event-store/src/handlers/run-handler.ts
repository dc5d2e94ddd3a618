import type { DomainEvent } from '@mneme/contracts';
import type { Owner } from '@mneme/workers/fair-queue';
import { createAttempts } from './attempts.ts';
import { ensureConsumer, pendingOf } from './consumer.ts';
import { createDelivery } from './delivery.ts';
import { FairWorkers } from './fair-workers.ts';
import { type HandlerOptions, handlerDefaults } from './handler-options.ts';
import { createHeartbeats } from './pulled-message.ts';
import { answerRetries } from './retry.ts';
import { createUnknownTypes } from './unknown-types.ts';

export interface RunningHandler {
  /** Takes no new events, lets running work end for a bounded time, and gives back what is left. */
  stop(): Promise<void>;
  /** How many events wait or are being worked on, in all instances. */
  pending(): Promise<number>;
}

const defaultStopTimeoutMs = 6_000;

/**
 * Runs a handler: every event of the given types is handled at least once, is tried a bounded number of times, and is
 * never dropped. What cannot be read is dead-lettered; a type that the catalog lacks is left to a newer release. Goes on
 * after the server was killed and restarted.
 * @throws Error when the durable consumer cannot be made.
 */
export async function runHandler<E extends DomainEvent, T extends E['type']>(
  given: HandlerOptions<E, T>,
): Promise<RunningHandler> {
  const options = { ...handlerDefaults, ...given };
  await ensureConsumer(options);
  const aborting = new AbortController();
  const heartbeats = createHeartbeats(options.ackWaitMs);
  const unknown = createUnknownTypes(options, heartbeats);
  const delivery = createDelivery(options, {
    heartbeats,
    unknown,
    attempts: createAttempts(options),
    signal: aborting.signal,
  });
  const workers = new FairWorkers({ ownerOf: inOrderOfTheLog, ...options, heartbeats, ...delivery });
  const retries = answerRetries(options, aborting.signal);
  return {
    pending: () => pendingOf(options),
    stop: async () => {
      const ending = setTimeout(() => aborting.abort(), options.stopTimeoutMs ?? defaultStopTimeoutMs);
      await Promise.all([workers.stop(), retries.stop()]);
      clearTimeout(ending);
      heartbeats.stop();
      if (!options.connection.isClosed()) unknown.stop();
      if (!options.connection.isClosed()) await options.connection.flush().catch(() => undefined);
    },
  };
}

/** All events belong to the same owner, within which the first in the log comes first. */
function inOrderOfTheLog(): Owner {
  return ['', ''];
}
