import { setTimeout as pause } from 'node:timers/promises';
import { EventLogUnavailableError } from '../errors.ts';
import type { EventStore } from '../event-store.ts';

const maxReads = 25;
const pauseMs = 20;

/**
 * The event store, with a `load` and a `fold` that give everything which stood in the log when it was asked. A replica may
 * be a moment behind; what it does not have yet would be taken for what does not exist.
 */
export function newestStore<E>(store: EventStore<E>): EventStore<E> {
  return {
    ...store,
    load: (subject) => untilNewest(store, subject, () => store.load(subject)),
    fold: (subject, evolve, initial, known) =>
      untilNewest(store, subject, () => store.fold(subject, evolve, initial, known)),
  };
}

/** @throws EventLogUnavailableError when the replicas stay behind the leader. */
async function untilNewest<E, T extends { readonly revision: number }>(
  store: EventStore<E>,
  subject: string,
  read: () => Promise<T>,
): Promise<T> {
  const reading = read();
  const [, head] = await Promise.all([reading, store.head(subject)]);
  let loaded = await reading;
  for (let reads = 1; loaded.revision < head; reads += 1) {
    if (reads === maxReads) throw new EventLogUnavailableError(`The replicas of ${subject} stay behind their leader`);
    await pause(pauseMs);
    loaded = await read();
  }
  return loaded;
}
