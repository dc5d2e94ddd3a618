import { setTimeout as pause } from 'node:timers/promises';
import { EventLogUnavailableError } from '../errors.ts';
import type { EventStore, LoadedStream } from '../event-store.ts';

const maxReads = 25;
const pauseMs = 20;

/**
 * The event store, with a `load` that gives everything which stood in the log when it was asked. A replica may be a
 * moment behind; what it does not have yet would be taken for what does not exist.
 */
export function newestStore<E>(store: EventStore<E>): EventStore<E> {
  return { ...store, load: (subject) => loadNewest(store, subject) };
}

/** @throws EventLogUnavailableError when the replicas stay behind the leader. */
async function loadNewest<E>(store: EventStore<E>, subject: string): Promise<LoadedStream<E>> {
  const [first, head] = await Promise.all([store.load(subject), store.head(subject)]);
  let loaded = first;
  for (let reads = 1; loaded.revision < head; reads += 1) {
    if (reads === maxReads) throw new EventLogUnavailableError(`The replicas of ${subject} stay behind their leader`);
    await pause(pauseMs);
    loaded = await store.load(subject);
  }
  return loaded;
}
