import { LineLimit } from '@mneme/workers/line-limit';
import { sleep, within } from '@mneme/workers/waits';
import { createInbox, type Msg, nanos } from '@nats-io/nats-core';
import { isStreamMissing } from '../log/log.ts';
import { maxPayload } from '../log/writing/parts.ts';
import { type ConsumerOptions, ensureConsumer } from './consumer.ts';
import type { EventStoreLogger } from './handler-options.ts';
import { type PulledMessage, pulledFrom } from './pulled-message.ts';

const pauseAfterFailureMs = 250;
/** The same while the stream is missing: an operator has to bring it back. */
const pauseWithoutStreamMs = 3_000;
// Short, because a pull that was under way when the server died is noticed to be dead after about this time only.
const pullExpiryMs = 4_000;
/** The server says that a pull has expired; this much later it is not waited for any more. */
const graceMs = 500;
/** How many messages are asked for at once. */
const maxBatch = 256;
/** The server sends no more than this for one request, so that a slow reader is not cut off; one message fits in any case. */
const batchBytesPerMessage = 2;

export interface PullerOptions extends ConsumerOptions {
  readonly logger: EventStoreLogger;
}

export interface Puller {
  /** Ends when what has come is taken over. */
  stop(): Promise<void>;
}

/** The one who takes messages over. */
export interface Taker {
  /** How many more messages it takes. */
  readonly room: () => number;
  /** Takes over one message. */
  readonly accept: (message: PulledMessage) => void;
  /** Resolves when there may be room again. */
  readonly untilRoom: () => Promise<void>;
}

/** Asks a durable consumer for messages for as long as there is room for more. Stopped, it hands over what is on its way first. */
export function startPuller(options: PullerOptions, taker: Taker): Puller {
  const stopping = new AbortController();
  const done = run(options, taker, stopping.signal);
  return {
    stop: () => {
      stopping.abort();
      return done;
    },
  };
}

async function run(options: PullerOptions, taker: Taker, signal: AbortSignal): Promise<void> {
  const { connection, stream, durable, logger } = options;
  const failures = new LineLimit();
  let pulls: Pulls | undefined;
  while (!signal.aborted && !connection.isClosed()) {
    try {
      // The consumer is made anew when it is gone, for instance because the stream was restored from a backup.
      if (!pulls) await ensureConsumer(options);
      pulls ??= openPulls(options, taker.accept);
      const room = taker.room();
      if (room > 0) await pulls.next(Math.min(room, maxBatch), signal);
      else await within(taker.untilRoom(), pullExpiryMs, signal);
    } catch (error) {
      await pulls?.close();
      pulls = undefined;
      if (signal.aborted || connection.isClosed()) return;
      failures.write((omitted) =>
        logger.warn(
          { handler: durable, stream, ...omitted, err: error },
          'Waiting for the event log to hand out events',
        ),
      );
      await sleep(isStreamMissing(error) ? pauseWithoutStreamMs : pauseAfterFailureMs, signal);
    }
  }
  await pulls?.close();
}

interface Pulls {
  /**
   * Asks for messages and hands over each when it comes. Ends when no more will come for this request.
   * @param batch the most messages to ask for
   * @throws Error when the consumer is gone or the server cannot be asked
   */
  next(batch: number, signal: AbortSignal): Promise<void>;
  /** Hands over what is on its way, then takes no more. */
  close(): Promise<void>;
}

/**
 * Opens one inbox for all pulls. The client's own `fetch` opens one for each, which costs the server more than the message.
 *
 * Each pull has a reply subject of its own below the inbox, so that what the server says of an old one ends no new one; a
 * message is taken whichever pull it answers.
 */
function openPulls({ connection, stream, durable }: PullerOptions, accept: (message: PulledMessage) => void): Pulls {
  const inbox = createInbox();
  let pull = 0;
  let left = 0;
  let current = Promise.withResolvers<void>();
  const subscription = connection.subscribe(`${inbox}.*`, {
    callback: (error, message) => {
      if (error) return current.reject(error);
      const status = message.headers?.code ?? 0;
      const isCurrent = message.subject.endsWith(`.${pull}`);
      if (status === 0) accept(pulledFrom(connection, message));
      if (!isCurrent) return;
      left -= 1;
      const fault = faultOf(status, message);
      if (fault) current.reject(fault);
      else if (status !== 0 || left === 0) current.resolve();
    },
  });
  return {
    next: async (batch, signal) => {
      pull += 1;
      left = batch;
      current = Promise.withResolvers<void>();
      const maxBytes = batchBytesPerMessage * maxPayload(connection);
      const request = JSON.stringify({ batch, expires: nanos(pullExpiryMs), max_bytes: maxBytes });
      connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`, request, { reply: `${inbox}.${pull}` });
      await within(current.promise, pullExpiryMs + graceMs, signal);
    },
    // A server that is away would let the drain wait for its return.
    close: async () => {
      await within(
        subscription.drain().catch(() => undefined),
        graceMs,
      );
      subscription.unsubscribe();
    },
  };
}

/** Undefined for a message, and for a pull that has expired or is as large as it may be. */
function faultOf(status: number, { headers }: Msg): Error | undefined {
  const isExpired = status === 404 || status === 408;
  const isFull = status === 409 && /maxbytes|batch completed/i.test(headers?.description ?? '');
  if (status === 0 || isExpired || isFull) return undefined;
  return new Error(`The server refused to hand out messages: ${status} ${headers?.description ?? ''}`);
}
