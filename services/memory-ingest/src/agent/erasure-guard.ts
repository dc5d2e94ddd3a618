import { type AgentRef, type MemoryEvent, memorySubjects } from '@mneme/contracts';
import type { Eraser, EventStore } from '@mneme/event-store';
import { DomainError } from '../errors.ts';

export interface ErasureGuardDeps {
  readonly store: EventStore<MemoryEvent>;
  readonly eraser: Eraser;
}

/**
 * Decorates the event store for events that are derived from an agent's memories, so that they do not outlive the agent.
 * Usually the expected revision ensures that, but a new subject has none.
 *
 * The guard looks for an erasure after the append. A concurrent erasure therefore either finds the new events, because they
 * precede it, or is found here.
 * @param readAt the sequence of the log up to which the memories had been read
 * @returns a store whose `append` throws DomainError `agent-erased` when the agent was erased after `readAt`
 */
export function erasureGuard(
  { store, eraser }: ErasureGuardDeps,
  agent: AgentRef,
  readAt: number,
): EventStore<MemoryEvent> {
  return {
    ...store,
    append: async (subject, events, expected, context) => {
      const position = await store.append(subject, events, expected, context);
      const history = await eraser.find(memorySubjects.agent(agent));
      if (!history.some(({ type, sequence }) => type === 'AgentErased' && sequence > readAt)) return position;
      // The events of one append have consecutive sequences.
      await eraser.erase(events.map((_, index) => position.sequence - index));
      throw new DomainError('agent-erased', 'The agent was erased meanwhile');
    },
  };
}
