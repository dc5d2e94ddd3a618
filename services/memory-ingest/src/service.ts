import { type AgentRef, memoryStream } from '@mneme/contracts';
import { openEraser } from '@mneme/event-store';
import type { Service } from '@mneme/service-kit';
import { erasureGuard } from './agent/erasure-guard.ts';
import { serveMemory } from './endpoints.ts';
import { type ReactorDeps, runReactors } from './reactors/run-reactors.ts';

export interface MemoryIngestOptions extends Omit<ReactorDeps, 'eraser' | 'storeFor'> {
  readonly service: Service;
}

/** Answers the commands of the memory area, processes submitted batches and revises opinions. */
export async function createMemoryIngest(options: MemoryIngestOptions): Promise<{ stop(): Promise<void> }> {
  const { connection, store, service } = options;
  const eraser = openEraser(connection, memoryStream.name);
  const storeFor = (agent: AgentRef, readAt: number) => erasureGuard({ store, eraser }, agent, readAt);
  const deps = { ...options, eraser, storeFor };
  serveMemory(service, deps);
  const reactors = await runReactors(deps);
  return { stop: async () => void (await Promise.all(reactors.map((reactor) => reactor.stop()))) };
}
