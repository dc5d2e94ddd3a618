import { memoryStream } from '@mneme/contracts';
import { openEraser } from '@mneme/event-store';
import type { Service } from '@mneme/service-kit';
import { createStoreFor } from './agent/store-for.ts';
import { serveMemory } from './endpoints.ts';
import { type ReactorDeps, runReactors } from './reactors/run-reactors.ts';

export interface MemoryIngestOptions extends Omit<ReactorDeps, 'eraser' | 'storeFor'> {
  readonly service: Service;
}

/** Answers the commands of the memory area, processes submitted batches and revises opinions. */
export async function createMemoryIngest(options: MemoryIngestOptions): Promise<{ stop(): Promise<void> }> {
  const { connection, store, service } = options;
  const eraser = openEraser(connection, memoryStream.name);
  const deps = { ...options, eraser, storeFor: createStoreFor({ store, eraser }) };
  serveMemory(service, deps);
  const reactors = await runReactors(deps);
  return { stop: async () => void (await Promise.all(reactors.map((reactor) => reactor.stop()))) };
}
