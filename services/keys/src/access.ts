import { type AccessEvent, accessStream, type accessSubjects } from '@mneme/contracts';
import type { EventStore, Ids, Position } from '@mneme/event-store';
import type { ReadAfterWrite } from '@mneme/read-models';
import type { AccessCollections } from './access-rows/rows.ts';
import type { AccessPolicy } from './config.ts';

/** What the commands and queries of this service work with. */
export interface Access {
  readonly store: EventStore<AccessEvent>;
  readonly subjects: typeof accessSubjects;
  readonly ids: Ids;
  readonly policy: AccessPolicy;
  readonly clock: () => Date;
  /** Makes a new secret key. */
  readonly newKey: () => string;
  /** The collections of the read model's live version. */
  readonly rows: () => AccessCollections;
  readonly progress: ReadAfterWrite;
}

export interface CommandResult<T> {
  readonly value: T;
  /** Of the event that did what was asked for; undefined when there was nothing to do. */
  readonly position: Position | undefined;
}

/**
 * Waits until the read model and the buckets have applied what a command appended, or what an earlier run of the same
 * command appended.
 * @param appended the position of the last appended event; undefined when the command appended nothing
 * @returns that position, or the head of the subject, so that a repeated command can report a position too
 */
export async function confirmCommand(
  { store, progress }: Access,
  subject: string,
  appended: Position | undefined,
): Promise<Position> {
  const position = appended ?? { stream: accessStream.name, sequence: await store.head(subject) };
  await progress.confirm(position.sequence, subject);
  return position;
}
