import type { AccessEvent, accessSubjects } from '@mneme/contracts';
import type { EventStore, Numbers, Position, Progress } from '@mneme/event-store';
import type { AccessPolicy } from '../config.ts';
import type { AccessCollections } from '../read-model/collections.ts';

/** What commands and queries of this service work with. */
export interface Access {
  readonly store: EventStore<AccessEvent>;
  readonly subjects: typeof accessSubjects;
  readonly numbers: Numbers;
  readonly policy: AccessPolicy;
  readonly clock: () => Date;
  /** Makes a new secret key. */
  readonly newKey: () => string;
  /** The rows of the version that answers. */
  readonly rows: () => AccessCollections;
  readonly progress: Progress;
}

/**
 * Waits until what a command did, or what it found done, holds everywhere.
 * @param position of what it appended; undefined when that was nothing
 */
export async function confirmCommand(
  { store, progress }: Access,
  subject: string,
  position: Position | undefined,
): Promise<void> {
  await progress.confirm(position?.sequence ?? (await store.head(subject)));
}
