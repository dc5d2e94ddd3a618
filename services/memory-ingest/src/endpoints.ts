import { memoryIngest, memorySubjects } from '@mneme/contracts';
import { createStateCache, deadLetters, type StateCache } from '@mneme/event-store';
import type { Service } from '@mneme/service-kit';
import { KeyedMutex } from '@mneme/workers/keyed-mutex';
import { addBackground, ensureAgent, putAgent } from './agent/commands.ts';
import { type Agent, agentBytes } from './agent/decider.ts';
import { eraseAgent } from './agent/erase.ts';
import { type MemoryIngestDeps, presentModels } from './deps.ts';
import { deleteDocument } from './document/commands.ts';
import { cancelOperation, retryOperation } from './operation/commands.ts';
import { recordThought } from './thought/commands.ts';
import { forgetUnit } from './unit/commands.ts';
import { correctUnit } from './unit/correct.ts';

/** Answers the commands of the memory area. */
export function serveMemory(service: Service, deps: MemoryIngestDeps): void {
  const agents = createStateCache<Agent>({ sizeOf: agentBytes });
  serveCommands(service, deps, agents);
  serveModelCommands(service, deps, agents);
}

function serveCommands(
  service: Service,
  { connection, store, eraser, storeFor, client, logger }: MemoryIngestDeps,
  cache: StateCache<Agent>,
): void {
  service.serve(memoryIngest.cancelOperation, (request, context) => cancelOperation(store, request, context));
  service.serve(memoryIngest.retryOperation, (request, context) => retryOperation(store, request, context));
  service.serve(memoryIngest.forgetUnit, (request, context) =>
    forgetUnit({ store, client, storeFor }, request, context),
  );
  service.serve(memoryIngest.deleteDocument, async (request, context) => {
    // The id of a document is text of the agent, which must not outlive it either.
    return deleteDocument({ store: storeFor(request, await store.head()), client }, request, context);
  });
  service.serve(memoryIngest.ensureAgent, (agent, context) =>
    ensureAgent({ store, client, cache, logger }, agent, context),
  );
  service.serve(memoryIngest.putAgent, ({ space, agentId, ...change }, context) =>
    putAgent(store, { space, agentId }, change, context, { cache }),
  );
  service.serve(memoryIngest.eraseAgent, async (agent, context) => {
    const erased = await eraseAgent({ store, client, eraser, deadLetters: deadLetters(connection) }, agent, context);
    cache.delete(memorySubjects.agent(agent));
    return erased;
  });
}

function serveModelCommands(service: Service, deps: MemoryIngestDeps, cache: StateCache<Agent>): void {
  const { store, storeFor, client, models, logger } = deps;
  const clock = () => new Date();
  service.serve(memoryIngest.recordThought, (thought, context) => {
    const guarded = storeFor(thought, thought.readAt);
    return recordThought({ store: guarded, client, models: presentModels(deps), clock, logger }, thought, context);
  });
  service.serve(memoryIngest.correctUnit, (correction, context) =>
    correctUnit({ store, client, storeFor, models: presentModels(deps) }, correction, context),
  );
  const backgroundDeps = { store, writer: models.background, mutex: new KeyedMutex(), cache, clock, logger };
  service.serve(memoryIngest.addBackground, (addition, context) => addBackground(backgroundDeps, addition, context));
}
