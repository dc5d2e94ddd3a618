import { setTimeout as pause } from 'node:timers/promises';
import { createInbox, type Msg, nanos } from '@nats-io/nats-core';
import { type ConsumerOptions, ensureConsumer } from './consumer.ts';
import type { EventStoreLogger } from './handler-options.ts';
import { type PulledMessage, pulledFrom } from './pulled-message.ts';

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

// Short, because a pull that was under way when the server died is noticed to be dead after about this time only.
export const pullExpiryMs = 4_000;
/** The server says that a pull has expired; this much later it is not waited for any more. */
export const graceMs = 500;

/** Asks a durable consumer for messages, one at a time. */
export interface Pulls {
  /**
   * @returns the next message, or undefined when none came in time or the signal was aborted
   * @throws Error when the consumer is gone or the server cannot be asked
   */
  next(signal: AbortSignal): Promise<PulledMessage | undefined>;
  /** Gives back what has come and was not taken. */
  close(): void;
}

/**
 * Opens one inbox for all pulls. The client's own `fetch` opens one for each, which costs the server more than the message.
 *
 * Each pull has a reply subject of its own below the inbox, so that what the server says of an old one ends no new one; a
 * message is taken whichever pull it answers.
 */
export function openPulls({ connection, stream, durable }: ConsumerOptions): Pulls {
  const inbox = createInbox();
  const arrived: PulledMessage[] = [];
  let pull = 0;
  let settle: Settle = () => undefined;
  const subscription = connection.subscribe(`${inbox}.*`, {
    callback: (error, message) => {
      if (error) return settle(error);
      const status = message.headers?.code ?? 0;
      if (status === 0) arrived.push(pulledFrom(connection, message));
      else if (!message.subject.endsWith(`.${pull}`)) return;
      settle(faultOf(status, message));
    },
  });
  const ask = (whenSettled: Settle) => {
    settle = whenSettled;
    pull += 1;
    const request = JSON.stringify({ batch: 1, expires: nanos(pullExpiryMs) });
    connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`, request, { reply: `${inbox}.${pull}` });
  };
  return {
    next: async (signal) => {
      if (arrived.length === 0 && !signal.aborted) await answerTo(ask, signal);
      return signal.aborted ? undefined : arrived.shift();
    },
    close: () => {
      subscription.unsubscribe();
      if (!connection.isClosed()) for (const message of arrived) message.nak();
    },
  };
}

type Settle = (fault?: Error) => void;

/** Waits for the answer to a pull, for a bounded time. */
async function answerTo(ask: (settle: Settle) => void, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const wake = () => resolve();
  const timer = setTimeout(wake, pullExpiryMs + graceMs);
  signal.addEventListener('abort', wake, { once: true });
  try {
    ask((fault) => (fault ? reject(fault) : resolve()));
    await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', wake);
  }
}

/** Undefined for a message, and for a pull that has expired or is as large as it may be. */
export function faultOf(status: number, { headers }: Msg): Error | undefined {
  const isExpired = status === 404 || status === 408;
  const isFull = status === 409 && /maxbytes|batch completed/i.test(headers?.description ?? '');
  if (status === 0 || isExpired || isFull) return undefined;
  return new Error(`The server refused to hand out messages: ${status} ${headers?.description ?? ''}`);
}
