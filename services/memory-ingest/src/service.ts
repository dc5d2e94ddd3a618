import type { Service } from '@mneme/service-kit';
import { serveMemory } from './endpoints.ts';
import { type ReactorDeps, runReactors } from './reactors/run-reactors.ts';

export interface MemoryIngestDeps extends ReactorDeps {
  readonly service: Service;
}

/** Answers the commands of the memory area, processes submitted batches and revises opinions. */
export async function createMemoryIngest(deps: MemoryIngestDeps): Promise<{ stop(): Promise<void> }> {
  serveMemory(deps.service, deps);
  const reactors = await runReactors(deps);
  return { stop: async () => void (await Promise.all(reactors.map((reactor) => reactor.stop()))) };
}
