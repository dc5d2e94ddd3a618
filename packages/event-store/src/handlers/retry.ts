import type { DomainEvent } from '@mneme/contracts';
import { retrySubject } from '../dead-letters/retry-subject.ts';
import { decodeEvent } from '../log/decode.ts';
import { readDirect } from '../log/reading/direct-read.ts';
import type { Recorded } from '../recorded.ts';
import type { HandlerOptions } from './handler-options.ts';

const readTimeoutMs = 5_000;

/** Answers an operator's request to handle a dead letter again, now that the reason should be gone. */
export function answerRetries<E extends DomainEvent, T extends E['type']>(
  options: HandlerOptions<E, T>,
  signal: AbortSignal,
): { stop(): void } {
  const { connection, stream, durable } = options;
  const subscription = connection.subscribe(retrySubject(stream, durable), {
    queue: durable,
    callback: (error, message) => {
      if (error) return;
      retryOnce(options, Number(message.string()), signal)
        .then(() => message.respond(JSON.stringify({})))
        .catch((failure) => message.respond(JSON.stringify({ error: String(failure?.message ?? failure) })))
        .catch((failure) => options.logger.warn({ err: failure }, 'Could not answer a retry'));
    },
  });
  return { stop: () => subscription.unsubscribe() };
}

async function retryOnce<E extends DomainEvent, T extends E['type']>(
  options: HandlerOptions<E, T>,
  sequence: number,
  signal: AbortSignal,
): Promise<void> {
  const query = { stream: options.stream, subject: '>', from: sequence, limit: 1, timeoutMs: readTimeoutMs };
  const message = (await readDirect(options.connection, query)).messages[0];
  if (message?.sequence !== sequence) throw new Error('The event is no longer in the log');
  const event = decodeEvent(options.catalog, message) as Recorded<Extract<E, { type: T }>>;
  await options.handle(event, { deliveryCount: 1, signal });
}
