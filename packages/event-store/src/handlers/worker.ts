import { setTimeout as pause } from 'node:timers/promises';
import type { EventStoreLogger } from '../logger.ts';
import { type ConsumerOptions, ensureConsumer } from './consumer.ts';
import type { PulledMessage } from './pulled-message.ts';
import { openPulls, type Pulls } from './pulls.ts';

export const pauseAfterFailureMs = 250;

export interface WorkerOptions extends ConsumerOptions {
  readonly logger: EventStoreLogger;
}

export interface Worker {
  /** Ends when the message in work, if any, is done. */
  stop(): Promise<void>;
}

/**
 * Takes one message at a time and waits until it is dealt with before asking for the next one.
 *
 * So no message ever grows old in the client while others are worked on, which is what makes the server send it twice.
 */
export function startWorker(options: WorkerOptions, deliver: (message: PulledMessage) => Promise<void>): Worker {
  const stopping = new AbortController();
  const done = run(options, deliver, stopping.signal);
  return {
    stop: () => {
      stopping.abort();
      return done;
    },
  };
}

async function run(
  options: WorkerOptions,
  deliver: (message: PulledMessage) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let pulls: Pulls | undefined;
  while (!signal.aborted && !options.connection.isClosed()) {
    try {
      pulls ??= await open(options);
      const message = await pulls.next(signal);
      if (message) await deliver(message);
    } catch (error) {
      pulls?.close();
      pulls = undefined;
      if (signal.aborted || options.connection.isClosed()) return;
      options.logger.warn({ err: error, durable: options.durable }, 'Waiting for the event log to hand out events');
      await pause(pauseAfterFailureMs);
    }
  }
  pulls?.close();
}

/** The consumer is made anew when it is gone, for instance because the stream was restored from a backup. */
async function open(options: WorkerOptions): Promise<Pulls> {
  await ensureConsumer(options);
  return openPulls(options);
}
