import { type MemoryEvent, memoryEvents, memoryIngest, memoryStream, memorySubjects } from '@mneme/contracts';
import {
  createStateCache,
  deadLetters,
  type EventStore,
  maxEventBytes,
  openEraser,
  runHandler,
  type StateCache,
} from '@mneme/event-store';
import type { Models } from '@mneme/models';
import type { Client, Service } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Logger } from 'pino';
import { addBackground } from './agent/commands.ts';
import { type Agent, agentBytes } from './agent/decider.ts';
import { ensureAgent } from './agent/ensure-agent.ts';
import { eraseAgent } from './agent/erase.ts';
import { erasureGuard } from './agent/erasure-guard.ts';
import { putAgent } from './agent/put-agent.ts';
import { deleteDocument } from './document/commands.ts';
import { createKeyedMutex } from './models/keyed-mutex.ts';
import { batchOwner } from './operation/batch-owner.ts';
import { cancelOperation } from './operation/cancel-operation.ts';
import { retryOperation } from './operation/commands.ts';
import { AgentsWithoutOpinions } from './opinion/agents-without-opinions.ts';
import { debounce } from './opinion/debounce.ts';
import { failOperation, whenBatchSubmitted } from './reactors/when-batch-submitted.ts';
import { whenFactsExtracted } from './reactors/when-facts-extracted.ts';
import { recordThought } from './thought/commands.ts';
import { forgetUnit } from './unit/commands.ts';

/** The models that turn what is said into memories. */
export type IngestModels = Pick<Models, 'extractor' | 'embeddings' | 'opinions' | 'background'>;

export interface MemoryIngestDeps {
  readonly connection: NatsConnection;
  readonly store: EventStore<MemoryEvent>;
  readonly service: Service;
  readonly client: Client;
  readonly models: IngestModels;
  /** How many batches are worked on at once. */
  readonly concurrency: number;
  readonly logger: Logger;
  /** Told of each delivery of an event that only a newer release knows. */
  readonly onUnknownType?: (handler: string, type: string) => void;
}

const batchHandler = 'memory-ingest';
const revisionHandler = 'memory-opinions';
/** After so many tries a batch becomes a failed operation. */
const maxTries = 5;
/** After so long without a sign of life a batch goes to another worker, so a killed instance holds its batches this long. */
const ackWaitMs = 5_000;

/** Answers the memory commands and mutex submitted batches into facts. */
export async function createMemoryIngest(deps: MemoryIngestDeps): Promise<{ stop(): Promise<void> }> {
  const agents = createStateCache<Agent>({ sizeOf: agentBytes });
  serveCommands(deps, agents);
  serveThoughts(deps, agents);
  const handlers = await Promise.all([runBatchHandler(deps), runRevisionHandler(deps)]);
  return { stop: async () => void (await Promise.all(handlers.map((handler) => handler.stop()))) };
}

function serveCommands(
  { connection, service, store, client, logger }: MemoryIngestDeps,
  cache: StateCache<Agent>,
): void {
  const eraser = openEraser(connection, memoryStream.name);
  const parked = deadLetters(connection);
  service.serve(memoryIngest.cancelOperation, (request, context) => cancelOperation(store, request, context));
  service.serve(memoryIngest.retryOperation, (request, context) => retryOperation(store, request, context));
  service.serve(memoryIngest.forgetUnit, (request, context) => forgetUnit({ store, client }, request, context));
  service.serve(memoryIngest.deleteDocument, async (request, context) => {
    // The id of a document is a text that is not to outlive its agent either.
    const ofLife = erasureGuard({ store, eraser }, request, await store.head());
    return deleteDocument({ store: ofLife, client }, request, context);
  });
  service.serve(memoryIngest.ensureAgent, (agent, context) =>
    ensureAgent({ store, client, cache, logger }, agent, context),
  );
  service.serve(memoryIngest.putAgent, ({ space, agentId, ...change }, context) =>
    putAgent(store, { space, agentId }, change, context, { cache }),
  );
  service.serve(memoryIngest.eraseAgent, async (agent, context) => {
    const erased = await eraseAgent({ store, client, eraser, parked }, agent, context);
    cache.delete(memorySubjects.agent(agent));
    return erased;
  });
}

function serveThoughts(
  { connection, service, store, models, logger }: MemoryIngestDeps,
  cache: StateCache<Agent>,
): void {
  const clock = () => new Date();
  const eraser = openEraser(connection, memoryStream.name);
  service.serve(memoryIngest.recordThought, (thought, context) => {
    const ofLife = erasureGuard({ store, eraser }, thought, thought.readAt);
    return recordThought({ store: ofLife, models, clock, logger }, thought, context);
  });
  const writing = { store, writer: models.background, mutex: createKeyedMutex(), cache, clock, logger };
  service.serve(memoryIngest.addBackground, (addition, context) => addBackground(writing, addition, context));
}

function runBatchHandler({ connection, store, models, concurrency, logger, onUnknownType }: MemoryIngestDeps) {
  const handlerDeps = { store, models, maxEventBytes: () => maxEventBytes(connection) };
  return runHandler({
    connection,
    stream: memoryStream.name,
    durable: batchHandler,
    filterSubject: memorySubjects.allOperations,
    catalog: memoryEvents,
    types: ['BatchSubmitted', 'OperationRetried'],
    handle: (event, { signal }) => whenBatchSubmitted(handlerDeps, event, signal),
    onExhausted: (event, error) => failOperation(store, event, error),
    onUnknownType: (type) => onUnknownType?.(batchHandler, type),
    ownerOf: batchOwner,
    concurrency,
    ackWaitMs,
    maxTries,
    backoffMs,
    logger,
  });
}

/** So many tries bridge about half an hour without a model or a read model. */
const maxRevisionTries = 35;
/** Revising comes after the batches themselves. */
const revisionConcurrency = 2;

function runRevisionHandler({ connection, store, client, models, logger, onUnknownType }: MemoryIngestDeps) {
  const agentsWithoutOpinions = new AgentsWithoutOpinions();
  const eraser = openEraser(connection, memoryStream.name);
  return runHandler({
    connection,
    stream: memoryStream.name,
    durable: revisionHandler,
    filterSubject: memorySubjects.allOperations,
    catalog: memoryEvents,
    types: ['FactsExtracted'],
    handle: async (event, { signal }) => {
      await debounce(event, signal);
      const ofLife = erasureGuard({ store, eraser }, event.data, event.position.sequence);
      return whenFactsExtracted({ store: ofLife, client, models, agentsWithoutOpinions }, event, signal);
    },
    // The opinions stay as they were, which is no loss of anything that was said; an operator can have them weighed again.
    onExhausted: 'dead-letter',
    onUnknownType: (type) => onUnknownType?.(revisionHandler, type),
    concurrency: revisionConcurrency,
    ackWaitMs,
    maxTries: maxRevisionTries,
    backoffMs,
    logger,
  });
}

/** Doubles with every try, up to a minute. */
function backoffMs(tries: number): number {
  return Math.min(1_000 * 2 ** (tries - 1), 60_000);
}
