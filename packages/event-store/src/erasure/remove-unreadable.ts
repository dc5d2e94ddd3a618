import type { EventCatalog } from '@mneme/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { deadLetters } from '../dead-letters/dead-letters.ts';
import { UnknownEventError, UnreadableEventError } from '../errors.ts';
import { decodeEvent } from '../log/decode.ts';
import { openLog, reading, type StoredMessage } from '../log/log.ts';
import { messageAt } from '../log/reading/leader-read.ts';
import { formatPosition, type Position } from '../recorded.ts';

/** Why an event stays in the log; the message is written for operators. */
export class EventStaysError extends Error {
  override readonly name = 'EventStaysError';
}

export interface RemoveUnreadableOptions {
  readonly connection: NatsConnection;
  /** Of the events of the stream. */
  readonly catalog: EventCatalog;
  /** Keeps the message elsewhere; the log loses it only after that. */
  readonly save: (message: StoredMessage, reason: string) => Promise<void>;
}

/**
 * Takes a message out of the log that this release cannot turn into an event, and its dead letters with it. No decision is
 * made on a history that cannot be read whole, so it blocks all commands of its aggregate. Read models that wait for it go
 * on by themselves.
 * @throws EventStaysError when there is no such message, when it can be read, or when a newer release may read it
 * @throws EventLogUnavailableError when the log does not answer
 */
export async function removeUnreadable(
  { connection, catalog, save }: RemoveUnreadableOptions,
  position: Position,
): Promise<void> {
  const { stream, sequence } = position;
  const message = await messageAt(openLog(connection, stream), sequence);
  if (!message) throw new EventStaysError(`There is no event at ${formatPosition(position)}.`);
  await save(message, whyUnreadable(catalog, message));
  await reading({ stream }, async () => {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    await manager.streams.deleteMessage(stream, sequence);
  });
  await deadLetters(connection).eraseCopies((copy) => copy.subject === message.subject && copy.sequence === sequence);
}

/** @throws EventStaysError unless it cannot be read */
function whyUnreadable(catalog: EventCatalog, message: StoredMessage): string {
  const place = formatPosition(message);
  try {
    decodeEvent(catalog, message);
  } catch (error) {
    if (error instanceof UnknownEventError)
      throw new EventStaysError(`A newer release can read ${place}: ${error.reason}. Install it.`);
    if (error instanceof UnreadableEventError) return error.reason;
    throw error;
  }
  throw new EventStaysError(`The event at ${place} can be read; nothing waits for its removal.`);
}
