import {
  type AgentRef,
  type MemoryEvent,
  memoryEvents,
  memoryIngest,
  memoryStream,
  memorySubjects,
} from '@mneme/contracts';
import type { LogEmbeddings } from '@mneme/embedding-model';
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
import { defaultThreads, longTasksAtOnce } from '@mneme/workers';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Logger } from 'pino';
import { addBackground, ensureAgent, putAgent } from './agent/commands.ts';
import { type Agent, agentBytes } from './agent/decider.ts';
import { eraseAgent } from './agent/erase.ts';
import { erasureGuard } from './agent/erasure-guard.ts';
import { deleteDocument } from './document/commands.ts';
import { createKeyedMutex } from './models/keyed-mutex.ts';
import { cancelOperation, retryOperation } from './operation/commands.ts';
import { eventOwner } from './reactors/event-owner.ts';
import { keepVectorHandlers } from './reactors/vector-handlers.ts';
import { giveUpBatch, isLargeBatch, whenBatchSubmitted } from './reactors/when-batch-submitted.ts';
import { AgentsWithoutOpinions, debounce, whenFactsExtracted } from './reactors/when-facts-extracted.ts';
import { recordThought } from './thought/commands.ts';
import { forgetUnit } from './unit/commands.ts';
import { correctUnit } from './unit/correct.ts';

export type IngestModels = Pick<Models, 'extractor' | 'opinions' | 'background'>;

export interface MemoryIngestDeps {
  readonly connection: NatsConnection;
  readonly store: EventStore<MemoryEvent>;
  readonly service: Service;
  readonly client: Client;
  readonly models: IngestModels;
  readonly embeddings: LogEmbeddings;
  /** How many batches are processed concurrently. */
  readonly concurrency: number;
  readonly logger: Logger;
  /** Called for each delivery of an event whose type only a newer release knows. */
  readonly onUnknownType?: (handler: string, type: string) => void;
}

const batchHandler = 'memory-ingest';
const revisionHandler = 'memory-opinions';
/** After so many attempts the operation of a batch fails. */
const maxBatchAttempts = 5;
/** An instance that was killed holds its batches for so long, in milliseconds, before another one gets them. */
const ackWaitMs = 5_000;
/** The same for what is done in the background. Of thousands that wait for their turn, each is kept by heartbeats until then. */
const backgroundAckWaitMs = 20_000;
/** So many attempts cover about half an hour without a model or a read model. */
const maxRevisionAttempts = 35;
/** Low, because batches come before revisions. */
const revisionConcurrency = 2;

/** Answers the commands of the memory area, processes submitted batches and revises opinions. */
export async function createMemoryIngest(deps: MemoryIngestDeps): Promise<{ stop(): Promise<void> }> {
  const agents = createStateCache<Agent>({ sizeOf: agentBytes });
  serveCommands(deps, agents);
  serveModelCommands(deps, agents);
  const handlers = await Promise.all([
    runBatchHandler(deps),
    runRevisionHandler(deps),
    keepVectorHandlers({ ...deps, ackWaitMs: backgroundAckWaitMs, maxTries: maxRevisionAttempts, backoffMs }),
  ]);
  return { stop: async () => void (await Promise.all(handlers.map((handler) => handler.stop()))) };
}

function serveCommands(
  { connection, service, store, client, logger }: MemoryIngestDeps,
  cache: StateCache<Agent>,
): void {
  const eraser = openEraser(connection, memoryStream.name);
  service.serve(memoryIngest.cancelOperation, (request, context) => cancelOperation(store, request, context));
  service.serve(memoryIngest.retryOperation, (request, context) => retryOperation(store, request, context));
  service.serve(memoryIngest.forgetUnit, (request, context) => forgetUnit({ store, client }, request, context));
  service.serve(memoryIngest.deleteDocument, async (request, context) => {
    // The id of a document is text of the agent, which must not outlive it either.
    const guarded = erasureGuard({ store, eraser }, request, await store.head());
    return deleteDocument({ store: guarded, client }, request, context);
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

function serveModelCommands(deps: MemoryIngestDeps, cache: StateCache<Agent>): void {
  const { connection, service, store, client, models, logger } = deps;
  const clock = () => new Date();
  const eraser = openEraser(connection, memoryStream.name);
  service.serve(memoryIngest.recordThought, (thought, context) => {
    const guarded = erasureGuard({ store, eraser }, thought, thought.readAt);
    return recordThought({ store: guarded, models: presentModels(deps), clock, logger }, thought, context);
  });
  const storeFor = (agent: AgentRef, readAt: number) => erasureGuard({ store, eraser }, agent, readAt);
  service.serve(memoryIngest.correctUnit, (correction, context) => {
    const correctionDeps = { client, models: presentModels(deps), storeFor, head: () => store.head() };
    return correctUnit(correctionDeps, correction, context);
  });
  const backgroundDeps = { store, writer: models.background, mutex: createKeyedMutex(), cache, clock, logger };
  service.serve(memoryIngest.addBackground, (addition, context) => addBackground(backgroundDeps, addition, context));
}

/** The models for one piece of work, all of which is to be done with the same embedding model. */
function presentModels({ models, embeddings }: MemoryIngestDeps) {
  return { ...models, embeddings: embeddings.current() };
}

/**
 * What is read on this machine waits for one of its threads anyway; more of it at once would only take time and memory from
 * requests.
 */
function largeAtOnce({ models }: MemoryIngestDeps): number | undefined {
  return models.extractor.promptVersion === undefined ? longTasksAtOnce(defaultThreads) : undefined;
}

function runBatchHandler(deps: MemoryIngestDeps) {
  const { connection, store, concurrency, logger, onUnknownType } = deps;
  const handlerDeps = () => ({ store, models: presentModels(deps), maxEventBytes: () => maxEventBytes(connection) });
  return runHandler({
    connection,
    stream: memoryStream.name,
    durable: batchHandler,
    filterSubject: memorySubjects.allOperations,
    catalog: memoryEvents,
    types: ['BatchSubmitted', 'OperationRetried'],
    handle: (event, { signal }) => whenBatchSubmitted(handlerDeps(), event, signal),
    onExhausted: (event, error) => giveUpBatch(store, event, error),
    onUnknownType: (type) => onUnknownType?.(batchHandler, type),
    ownerOf: eventOwner,
    isLarge: isLargeBatch,
    maxLarge: largeAtOnce(deps),
    concurrency,
    ackWaitMs,
    maxTries: maxBatchAttempts,
    backoffMs,
    logger,
  });
}

function runRevisionHandler(deps: MemoryIngestDeps) {
  const { connection, store, client, logger, onUnknownType } = deps;
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
      const guarded = erasureGuard({ store, eraser }, event.data, event.position.sequence);
      return whenFactsExtracted(
        { store: guarded, client, models: presentModels(deps), agentsWithoutOpinions },
        event,
        signal,
      );
    },
    // The opinions stay as they were, so nothing that was said is lost; an operator can have them weighed again.
    onExhausted: 'dead-letter',
    onUnknownType: (type) => onUnknownType?.(revisionHandler, type),
    ownerOf: eventOwner,
    concurrency: revisionConcurrency,
    ackWaitMs: backgroundAckWaitMs,
    maxTries: maxRevisionAttempts,
    backoffMs,
    logger,
  });
}

/** Doubles with every attempt, up to a minute. */
function backoffMs(attempts: number): number {
  return Math.min(1_000 * 2 ** (attempts - 1), 60_000);
}
