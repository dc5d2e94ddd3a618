import { type MemoryEvent, memorySubjects } from '@mneme/contracts';
import { type ErasureGuardDeps, erasureGuard } from '@mneme/event-store';
import type { MemoryIngestDeps } from '../deps.ts';
import { DomainError } from '../errors.ts';

/** @returns makes stores whose `append` throws DomainError `agent-erased` when the agent was erased after `readAt` */
export function createStoreFor(deps: ErasureGuardDeps<MemoryEvent>): MemoryIngestDeps['storeFor'] {
  const refusal = () => new DomainError('agent-erased');
  return (agent, readAt) =>
    erasureGuard(deps, { subject: memorySubjects.agent(agent), type: 'AgentErased', readAt, refusal });
}
