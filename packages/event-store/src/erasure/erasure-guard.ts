import type { EventStore } from '../event-store.ts';
import type { Eraser } from './eraser.ts';

export interface ErasureGuardDeps<E> {
  readonly store: EventStore<E>;
  readonly eraser: Eraser;
}

/** The erasure that a guard looks for. */
export interface GuardedErasure {
  /** On which the erasure is recorded. */
  readonly subject: string;
  /** Of the event that records it. */
  readonly type: string;
  /** The sequence of the log up to which the erased data had been read. */
  readonly readAt: number;
  /** What `append` throws after an erasure. */
  readonly refusal: () => Error;
}

/**
 * Decorates the event store for events that are derived from data that may be erased, so that they do not outlive it.
 * Usually the expected revision ensures that, but a new subject has none.
 *
 * The guard looks for an erasure before the append, since a model may have taken seconds since the data was read. It looks
 * again after the append: a concurrent erasure either finds the new events, because they precede it, or is found here. The
 * read model may have received such events before they are erased from the log, and has to ignore them.
 * @returns a store whose `append` throws the refusal when the data was erased after `readAt`
 */
export function erasureGuard<E>(
  { store, eraser }: ErasureGuardDeps<E>,
  { subject: erasedOn, type: erased, readAt, refusal }: GuardedErasure,
): EventStore<E> {
  const isErased = async () => {
    // Usually nothing has changed since; finding all events takes several requests.
    if ((await store.head(erasedOn)) <= readAt) return false;
    return (await eraser.find(erasedOn)).some(({ type, sequence }) => type === erased && sequence > readAt);
  };
  return {
    ...store,
    append: async (subject, events, expected, context) => {
      if (await isErased()) throw refusal();
      const position = await store.append(subject, events, expected, context);
      if (!(await isErased())) return position;
      // The events of one append have consecutive sequences.
      await eraser.erase(events.map((_, index) => position.sequence - index));
      throw refusal();
    },
  };
}
