import type { AgentRef, MemoryEvent } from '@mneme/contracts';
import { erasureGuard as guard } from '@mneme/embedding-model';
import type { Eraser, EventStore } from '@mneme/event-store';
import { DomainError } from '../errors.ts';

const refusal = () => new DomainError('agent-erased');

/** @returns a store whose `append` throws DomainError `agent-erased` when the agent was erased after `readAt` */
export function erasureGuard(
  deps: { readonly store: EventStore<MemoryEvent>; readonly eraser: Eraser },
  agent: AgentRef,
  readAt: number,
): EventStore<MemoryEvent> {
  return guard({ ...deps, refusal }, agent, readAt);
}
