import { setTimeout as pause } from 'node:timers/promises';
import { type Consumer, type JsMsg, jetstream } from '@nats-io/jetstream';
import type { EventStoreLogger } from '../logger.ts';
import { type ConsumerOptions, ensureConsumer } from './consumer.ts';

// Short, because a pull that was under way when the server died is noticed to be dead after about this time only.
const pullExpiryMs = 4_000;
const pauseAfterFailureMs = 250;

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
export function startWorker(options: WorkerOptions, deliver: (message: JsMsg) => Promise<void>): Worker {
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
  deliver: (message: JsMsg) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let consumer: Consumer | undefined;
  while (!signal.aborted && !options.connection.isClosed()) {
    try {
      consumer ??= await openConsumer(options);
      const message = await nextMessage(consumer, signal);
      if (message) await deliver(message);
    } catch (error) {
      if (signal.aborted || options.connection.isClosed()) return;
      options.logger.warn({ err: error, durable: options.durable }, 'Waiting for the event log to hand out events');
      consumer = undefined;
      await pause(pauseAfterFailureMs);
    }
  }
}

/** The consumer is made anew when it is gone, for instance because the stream was restored from a backup. */
async function openConsumer(options: WorkerOptions): Promise<Consumer> {
  await ensureConsumer(options);
  return jetstream(options.connection).consumers.get(options.stream, options.durable);
}

/** Waits for one message; undefined when none came in time or the worker is to stop. */
async function nextMessage(consumer: Consumer, signal: AbortSignal): Promise<JsMsg | undefined> {
  const messages = await consumer.fetch({ max_messages: 1, expires: pullExpiryMs });
  const cancel = () => messages.stop();
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    for await (const message of messages) return message;
    return undefined;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
