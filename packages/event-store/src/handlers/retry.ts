import type { DomainEvent } from '@mneme/contracts';
import type { Msg } from '@nats-io/nats-core';
import { retrySubject } from '../dead-letters/dead-letters.ts';
import { asError } from '../errors.ts';
import { decodeEvent } from '../log/decode.ts';
import { openLog } from '../log/log.ts';
import { firstMessage } from '../log/reading/first-message.ts';
import type { Recorded } from '../recorded.ts';
import { untilAborted } from './delivery.ts';
import type { HandlerOptions } from './handler-options.ts';

export interface RetryAnswers {
  /** Takes no new requests. Ends when those that are being worked on are answered. */
  stop(): Promise<void>;
}

/**
 * Answers an operator's request to handle a dead letter again, now that the reason should be gone.
 * @param signal when it is aborted, running retries are let go and are answered as failed
 */
export function answerRetries<E extends DomainEvent, T extends E['type']>(
  options: HandlerOptions<E, T>,
  signal: AbortSignal,
): RetryAnswers {
  const { connection, stream, durable } = options;
  const running = new Set<Promise<void>>();
  const subscription = connection.subscribe(retrySubject(stream, durable), {
    queue: durable,
    callback: (error, message) => {
      if (error) return;
      const retry = answer(options, message, signal).finally(() => running.delete(retry));
      running.add(retry);
    },
  });
  return {
    stop: async () => {
      subscription.unsubscribe();
      await Promise.all(running);
    },
  };
}

async function answer<E extends DomainEvent, T extends E['type']>(
  options: HandlerOptions<E, T>,
  message: Msg,
  signal: AbortSignal,
): Promise<void> {
  const retrying = untilAborted(retryOnce(options, Number(message.string()), signal), signal);
  const failureOf = (thrown: unknown) => (signal.aborted ? 'The handler was stopped' : asError(thrown).message);
  const reply = await retrying.then(
    () => ({}),
    (thrown: unknown) => ({ error: failureOf(thrown) }),
  );
  try {
    message.respond(JSON.stringify(reply));
  } catch (error) {
    options.logger.warn({ err: error }, 'Could not answer a retry');
  }
}

async function retryOnce<E extends DomainEvent, T extends E['type']>(
  { connection, stream, catalog, handle }: HandlerOptions<E, T>,
  sequence: number,
  signal: AbortSignal,
): Promise<void> {
  const message = await firstMessage(openLog(connection, stream), '>', sequence);
  if (message?.sequence !== sequence) throw new Error('The event is no longer in the log');
  const event = decodeEvent(catalog, message) as Recorded<Extract<E, { type: T }>>;
  signal.throwIfAborted();
  await handle(event, { deliveryCount: 1, signal });
}
