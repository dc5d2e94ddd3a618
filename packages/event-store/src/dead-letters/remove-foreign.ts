import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { isEvent } from '../log/cloud-event.ts';
import { openLog, reading, type StoredMessage } from '../log/log.ts';
import { messageAt } from '../log/reading/leader-read.ts';
import { formatPosition, type Position } from '../recorded.ts';
import { deadLetters } from './dead-letters.ts';

/** Keeps a message elsewhere. */
export type SaveMessage = (message: StoredMessage) => Promise<void>;

/**
 * Takes a message out of the log that is no event: another program has published it there. No decision is made on a history
 * that cannot be read whole, so it blocks all commands of its aggregate. No release has ever applied it, and what waits for
 * it goes on by itself. Events stay, whether they can be read or not: one may be the end of a key or of a memory, and both
 * would be back.
 * @param save called before it is removed
 * @throws Error for operators when there is no such message, or when it is an event
 * @throws EventLogUnavailableError when the log does not answer; it may be removed then
 */
export async function removeForeign(connection: NatsConnection, position: Position, save: SaveMessage): Promise<void> {
  const { stream, sequence } = position;
  const message = await messageAt(openLog(connection, stream), sequence);
  if (message && isEvent(message.headers)) {
    const advice = 'If it cannot be read, install a release that can; see docs/dead-letters.md.';
    throw new Error(`${formatPosition(position)} is an event, and stays. ${advice}`);
  }
  if (message) {
    await save(message);
    await reading({ stream }, async () => {
      const manager = await jetstreamManager(connection, { checkAPI: false });
      await manager.streams.deleteMessage(stream, sequence);
    });
  }
  // Also where an earlier removal was interrupted.
  await deadLetters(connection).eraseCopies((copy) => copy.stream === stream && copy.sequence === sequence);
  if (!message) throw new Error(`There is no message at ${formatPosition(position)}.`);
}
