import { EventEmitter } from 'node:events';
import { type MemoryEvent, memoryEvents, memoryQuery, memoryStream, memorySubjects } from '@mneme/contracts';
import { type EventStore, formatPosition, type RunningProjection, runLeasedProjection } from '@mneme/event-store';
import type { LexicalEncoder, Models } from '@mneme/models';
import type { Logger, Service } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import type { MongoClient } from 'mongodb';
import { listAgents } from './agents/list-agents.ts';
import { findDocument, getDocument, listDocuments } from './documents/document-queries.ts';
import type { OwnVectors } from './embedding/own-vectors.ts';
import { graph } from './graph/graph.ts';
import { listOperations, operationExists, operationStatus, toStatus } from './operations/operation-queries.ts';
import { OperationWaiters } from './operations/operation-waiters.ts';
import { opinionsTouched } from './opinions/opinions-touched.ts';
import { awaitErasure } from './projection/await-erasure.ts';
import { finishErasures } from './projection/forget-agents.ts';
import { memoryProjection } from './projection/memory-projection.ts';
import type { MemoryCollections, StoredOperation } from './read-model/collections.ts';
import { memoryReadModel, openReadModel, type ReadModelStores } from './read-model/open-read-model.ts';
import { createReadGate, type ReadGate } from './read-model/read-gate.ts';
import { type LiveReadModel, serveLive } from './read-model/serve-live.ts';
import { versionFor } from './read-model/versions.ts';
import type { CrossEncoder } from './search/cross-encode.ts';
import { search } from './search/search.ts';
import type { SearchPart } from './search/search-settings.ts';
import { agentStats } from './stats/agent-stats.ts';
import { think } from './think/think.ts';
import { findUnit } from './units/find-unit.ts';
import { listUnits } from './units/list-units.ts';

/** The models that answer out of memories. */
export type QueryModels = Pick<Models, 'embeddings' | 'thinker' | 'reranker'>;

export interface MemoryQueryDeps {
  readonly connection: NatsConnection;
  readonly store: EventStore<MemoryEvent>;
  readonly service: Service;
  readonly client: MongoClient;
  readonly stores: ReadModelStores;
  readonly models: QueryModels;
  readonly ownVectors: OwnVectors;
  readonly lexical: LexicalEncoder;
  /** Parts of the search that are switched off. */
  readonly searchWithout: readonly SearchPart[];
  readonly logger: Logger;
}

/** After so long without a sign of life of the instance that projects, another one takes over, in milliseconds. */
const leaseMs = 3_000;
/** What a batch comes to may stand in the log a moment after it; its operation is then written once, as completed. */
const linger = { after: ['BatchSubmitted', 'OperationStarted'], forMs: 15 };
/** Counted up when the read model's form or derivation changes; the new version is then filled beside the old one. */
const readModelForm = 2;

interface FilledEvents {
  operations: [rows: Iterable<StoredOperation>, position: number];
}

/** Keeps the memory read model up to date and answers questions to it. */
export async function createMemoryQuery(deps: MemoryQueryDeps): Promise<RunningProjection> {
  const { client, stores, lexical, ownVectors, logger } = deps;
  const version = await versionFor(stores.db, memoryReadModel, readModelForm, stores.embeddings.name);
  const filling = await openReadModel(stores, version);
  const filled = new EventEmitter<FilledEvents>();
  const projection = await runLeasedProjection({
    connection: deps.connection,
    db: stores.db,
    leaseMs,
    stream: memoryStream.name,
    catalog: memoryEvents,
    linger,
    projection: memoryProjection({
      ...{ client, db: stores.db, readModel: filling, lexical, ownVectors },
      onApplied: (operations, position) => filled.emit('operations', operations, position),
    }),
    logger,
  });
  const live = await serveLive(stores, filling, () => projection.caughtUp(), logger);
  const gate = createReadGate(projection, () => deps.store.head());
  deps.service.serve(memoryQuery.awaitPosition, async ({ sequence, waitMs }) => ({
    reached: await projection.await(sequence, waitMs),
  }));
  deps.service.serve(memoryQuery.awaitErasure, awaitErasure({ db: stores.db, readModel: filling }, projection));
  void finishErasures({ db: stores.db, readModel: filling }).catch((error: unknown) =>
    logger.warn({ err: error }, 'Units of erased agents are left; they go when their agent is asked for'),
  );
  const waiters = new OperationWaiters(() => live.current().collections, projection);
  filled.on('operations', (operations, position) => {
    if (live.current() === filling) waiters.applied(operations, position);
  });
  // By the version that the position is about; another one may be live while this one catches up.
  const isErased = async (operationId: string, submittedSequence: number) =>
    projection.position() >= submittedSequence && !(await operationExists(filling.collections, operationId));
  serveOperations(deps, live, gate, { waiters, isErased });
  serveReads(deps, live, gate);
  return projection;
}

interface OutcomeWatch {
  readonly waiters: OperationWaiters;
  /** Whether a submitted operation is gone, with its agent. */
  readonly isErased: (operationId: string, submittedSequence: number) => Promise<boolean>;
}

function serveOperations(
  { service, store }: MemoryQueryDeps,
  live: LiveReadModel,
  gate: ReadGate,
  { waiters, isErased }: OutcomeWatch,
): void {
  service.serve(memoryQuery.awaitOperation, async ({ space, operationId, waitMs, submittedSequence }) => {
    const id = operationId.toLowerCase();
    const row = await waiters.wait(id, waitMs, submittedSequence);
    if (!row && (await isErased(id, submittedSequence))) return { settled: true, position: null, operation: null };
    if (row?.space !== space || row.settledSequence === null)
      return { settled: false, position: null, operation: null };
    const position = formatPosition({ stream: memoryStream.name, sequence: row.settledSequence });
    return { settled: true, position, operation: toStatus(row) };
  });
  service.serve(memoryQuery.listOperations, async (query) => {
    // A list that lacks what was just accepted would be taken for "it is done".
    const accepted = await store.head(memorySubjects.operationsOf(query));
    await gate.reach(Math.max(accepted, query.minSequence ?? 0));
    return listOperations(live.current().collections, query);
  });
  service.serve(memoryQuery.operationStatus, async (query) => {
    await gate.reach(query.minSequence);
    const isCaughtUp = await gate.catchUp();
    return operationStatus(live.current().collections, query, isCaughtUp);
  });
}

function serveReads(
  { service, models, lexical, searchWithout: without, logger }: MemoryQueryDeps,
  live: LiveReadModel,
  gate: ReadGate,
): void {
  const reader =
    <Q, R>(read: (collections: MemoryCollections, query: Q) => Promise<R>) =>
    async (query: Q & { minSequence?: number | undefined }): Promise<R> => {
      await gate.reach(query.minSequence);
      return read(live.current().collections, query);
    };
  const crossEncoder = crossEncoderOf(models, logger);
  service.serve(memoryQuery.findUnit, reader(findUnit));
  service.serve(memoryQuery.findDocument, reader(findDocument));
  service.serve(memoryQuery.listUnits, reader(listUnits));
  service.serve(memoryQuery.graph, reader(graph));
  service.serve(memoryQuery.listDocuments, reader(listDocuments));
  service.serve(memoryQuery.getDocument, reader(getDocument));
  service.serve(memoryQuery.listAgents, reader(listAgents));
  service.serve(memoryQuery.stats, reader(agentStats));
  service.serve(memoryQuery.search, async (query) => {
    await gate.reach(query.minSequence);
    const { embeddings } = models;
    return search({ ...live.current(), embeddings, lexical, without, crossEncoder }, query);
  });
  service.serve(memoryQuery.opinionsTouched, async (query) => {
    await gate.reach(query.minSequence);
    const readAt = gate.position();
    const deps = { ...live.current(), embeddings: models.embeddings, lexical };
    return { ...(await opinionsTouched(deps, query)), readAt };
  });
  service.serve(memoryQuery.think, async (query, { signal }) => {
    await gate.reach(query.minSequence);
    const { embeddings, thinker } = models;
    const readAt = gate.position();
    const deps = { ...live.current(), embeddings, thinker, lexical, clock: () => new Date() };
    return { ...(await think(deps, query, signal)), readAt };
  });
}

function crossEncoderOf({ reranker }: QueryModels, logger: Logger): CrossEncoder | undefined {
  if (!reranker) return undefined;
  const onFailure = (error: unknown) =>
    logger.warn(
      { err: error },
      'A search was not reranked by the model; its results are in the order of the heuristic',
    );
  return { reranker, onFailure };
}
