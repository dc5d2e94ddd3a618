import { type AgentRef, type MemoryEvent, memorySubjects } from '@mneme/contracts';
import type { Eraser, EventStore } from '@mneme/event-store';

export interface ErasureGuardDeps {
  readonly store: EventStore<MemoryEvent>;
  readonly eraser: Eraser;
  /** What `append` throws when the agent was erased. */
  readonly refusal: () => Error;
}

/**
 * Decorates the event store for events that are derived from an agent's memories, so that they do not outlive the agent.
 * Usually the expected revision ensures that, but a new subject has none.
 *
 * The guard looks for an erasure before the append, since a model may have taken seconds since the memories were read. It
 * looks again after the append: a concurrent erasure either finds the new events, because they precede it, or is found here.
 * The read model may have received such events before they are erased from the log, and has to ignore them.
 * @param readAt the sequence of the log up to which the memories had been read
 * @returns a store whose `append` throws the refusal when the agent was erased after `readAt`
 */
export function erasureGuard(
  { store, eraser, refusal }: ErasureGuardDeps,
  agent: AgentRef,
  readAt: number,
): EventStore<MemoryEvent> {
  const isErased = () => wasErased({ store, eraser }, agent, readAt);
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

async function wasErased(
  { store, eraser }: Pick<ErasureGuardDeps, 'store' | 'eraser'>,
  agent: AgentRef,
  readAt: number,
): Promise<boolean> {
  const subject = memorySubjects.agent(agent);
  // Usually nothing has changed since; finding all events takes several requests.
  if ((await store.head(subject)) <= readAt) return false;
  return (await eraser.find(subject)).some(({ type, sequence }) => type === 'AgentErased' && sequence > readAt);
}
