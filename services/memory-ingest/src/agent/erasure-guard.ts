import { type AgentRef, type MemoryEvent, memorySubjects } from '@mneme/contracts';
import type { Eraser, EventStore, Position } from '@mneme/event-store';
import { DomainError } from '../errors.ts';

export interface ErasureGuardDeps {
  readonly store: EventStore<MemoryEvent>;
  readonly eraser: Eraser;
}

/**
 * The event store, for writing down what was made of an agent's memories: what it appends does not outlive them. Elsewhere
 * the expected revision sees to that, but a new subject has none.
 *
 * It looks after it has appended: an erasure then either finds these events, because they stand before it, or is found.
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
      await eraser.erase(sequencesOf(position, events.length));
      throw new DomainError('agent-erased', 'The agent was erased meanwhile');
    },
  };
}

/** Events of one append stand without gaps. */
function sequencesOf({ sequence }: Position, count: number): number[] {
  return Array.from({ length: count }, (_, index) => sequence - index);
}
