import { type DeadLetter, deadLetters, type StoredMessage, writeDeadLetter } from '@mneme/event-store';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Deferrals } from '../lanes/deferrals.ts';
import type { FoldedLog } from './fold-log.ts';

export interface DeferFailedOptions {
  readonly connection: NatsConnection;
  readonly stream: string;
  /** Such as `api-keys-bucket@1`. */
  readonly by: string;
  readonly deferrals: Pick<Deferrals, 'drop' | 'put'>;
}

const page = { letters: 1_000, bytes: 8 * 1024 * 1024 };

/**
 * Dead-letters the events that could not be folded, and defers their aggregates, in place of whatever was before. A dead
 * letter that is there already stays: written anew, the event log would take it for a repetition, even if it was removed
 * a moment before.
 */
export async function deferFailed(options: DeferFailedOptions, failed: FoldedLog<unknown>['failed']): Promise<void> {
  const { connection, by, deferrals } = options;
  const messages = failed.map(({ message }) => message);
  const kept = await keepLettersOf(options, messages);
  await deferrals.drop();
  for (const { deferral, message } of failed) {
    const { aggregate, lane, reason } = deferral;
    const isThere = kept.some((letter) => isOf(letter, message));
    if (!isThere) await writeDeadLetter(connection, message, { by, reason, aggregate, lane });
    await deferrals.put(deferral);
  }
}

/** Removes the dead letters of the bucket that are of other messages. @returns the others */
async function keepLettersOf(options: DeferFailedOptions, messages: readonly StoredMessage[]): Promise<DeadLetter[]> {
  const { connection, stream, by } = options;
  const letters = deadLetters(connection);
  if (messages.length === 0) {
    await letters.discardAllOf(stream, by);
    return [];
  }
  const kept: DeadLetter[] = [];
  for (let from: number | undefined = 1; from !== undefined; ) {
    const { entries, next } = await letters.page(from, page.letters, page.bytes);
    for (const letter of entries.filter((each) => each.by === by && each.position.stream === stream)) {
      if (messages.some((message) => isOf(letter, message))) kept.push(letter);
      else await letters.discard(letter.sequence);
    }
    from = next;
  }
  return kept;
}

function isOf({ position, subject }: DeadLetter, message: StoredMessage): boolean {
  return position.sequence === message.sequence && subject === message.subject;
}
