import { setTimeout as pause } from 'node:timers/promises';
import { createInbox, nanos } from '@nats-io/nats-core';
import { ensureConsumer } from './consumer.ts';
import { type PulledMessage, pulledFrom } from './pulled-message.ts';
import { faultOf, graceMs, pauseAfterFailureMs, pullExpiryMs, type Worker, type WorkerOptions } from './worker.ts';

/** How many messages are asked for at once. */
const maxBatch = 256;
/** The server sends no more than this for one request, so that a slow reader is not cut off; one message fits in any case. */
const batchBytesPerMessage = 2;
const defaultMaxPayload = 1024 * 1024;

export interface Reading {
  /** How many more messages may wait here. */
  readonly room: () => number;
  /** Takes over one message. */
  readonly accept: (message: PulledMessage) => void;
  /** Resolves when there may be room again. */
  readonly untilRoom: () => Promise<void>;
}

/** Asks a durable consumer for messages for as long as there is room for more. Stopped, it hands over what is on its way first. */
export function startReadAhead(options: WorkerOptions, reading: Reading): Worker {
  const stopping = new AbortController();
  const done = run(options, reading, stopping.signal);
  return {
    stop: () => {
      stopping.abort();
      return done;
    },
  };
}

async function run(options: WorkerOptions, reading: Reading, signal: AbortSignal): Promise<void> {
  const { connection, durable, logger } = options;
  let pulls: BatchPulls | undefined;
  while (!signal.aborted && !connection.isClosed()) {
    try {
      if (!pulls) await ensureConsumer(options);
      pulls ??= openBatchPulls(options, reading.accept);
      const room = reading.room();
      if (room > 0) await pulls.next(Math.min(room, maxBatch), signal);
      else await Promise.race([reading.untilRoom(), pause(pullExpiryMs, undefined, { signal }).catch(() => undefined)]);
    } catch (error) {
      await pulls?.close();
      pulls = undefined;
      if (signal.aborted || connection.isClosed()) return;
      logger.warn({ err: error, durable }, 'Waiting for the event log to hand out events');
      await pause(pauseAfterFailureMs);
    }
  }
  await pulls?.close();
}

interface BatchPulls {
  /** Asks for so many messages at most; each is handed over when it comes. Ends when no more will come for this request. */
  next(batch: number, signal: AbortSignal): Promise<void>;
  /** Hands over what is on its way, then takes no more. */
  close(): Promise<void>;
}

function openBatchPulls(
  { connection, stream, durable }: WorkerOptions,
  accept: (message: PulledMessage) => void,
): BatchPulls {
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
      const wake = () => current.resolve();
      const timer = setTimeout(wake, pullExpiryMs + graceMs);
      signal.addEventListener('abort', wake, { once: true });
      const maxBytes = batchBytesPerMessage * (connection.info?.max_payload ?? defaultMaxPayload);
      const request = JSON.stringify({ batch, expires: nanos(pullExpiryMs), max_bytes: maxBytes });
      try {
        connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`, request, { reply: `${inbox}.${pull}` });
        await current.promise;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
      }
    },
    // A server that is away would let the drain wait for its return.
    close: async () => {
      await Promise.race([subscription.drain().catch(() => undefined), pause(graceMs)]);
      subscription.unsubscribe();
    },
  };
}
