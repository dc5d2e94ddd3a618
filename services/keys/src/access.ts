import { type AccessEvent, accessStream, type accessSubjects } from '@mneme/contracts';
import type { EventStore, Ids, Position } from '@mneme/event-store';
import type { ReadAfterWrite } from '@mneme/read-models';
import type { AccessCollections } from './access-rows/rows.ts';
import type { AccessPolicy } from './config.ts';

/** What commands and queries of this service work with. */
export interface Access {
  readonly store: EventStore<AccessEvent>;
  readonly subjects: typeof accessSubjects;
  readonly ids: Ids;
  readonly policy: AccessPolicy;
  readonly clock: () => Date;
  /** Makes a new secret key. */
  readonly newKey: () => string;
  /** The rows of the version that answers. */
  readonly rows: () => AccessCollections;
  readonly progress: ReadAfterWrite;
}

/**
 * Waits until what a command did, or what it found done, holds everywhere.
 * @param appended where what it appended stands; undefined when that was nothing
 * @returns where what it did, or found done, stands, so that a repeated command can say so too
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
