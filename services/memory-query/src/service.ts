import {
  type AgentRef,
  agentKey,
  agentKeyOf,
  type MemoryEvent,
  memoryQuery,
  memoryStream,
  memorySubjects,
} from '@mneme/contracts';
import { type EventStore, formatPosition, messageAt, openLog } from '@mneme/event-store';
import type { LexicalEncoder, Models } from '@mneme/models';
import { ReadModel, serveReadModels } from '@mneme/read-models';
import type { Logger, Service } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import type { MongoClient } from 'mongodb';
import { awaitErasure } from './agents/await-erasure.ts';
import { listAgents } from './agents/queries.ts';
import { findDocument, getDocument, listDocuments } from './documents/queries.ts';
import { graph } from './graph/queries.ts';
import { currentStatus } from './operations/current-status.ts';
import { listOperations, operationExists, toStatus } from './operations/queries.ts';
import { OperationWaiters } from './operations/waiters.ts';
import { affectedOpinions } from './opinions/queries.ts';
import type { ReadModelStores } from './read-model/memory-contents.ts';
import { type MemoryReadModel, memoryReadModel } from './read-model/read-model.ts';
import { createReads, type ReadableRows, type Reads } from './read-model/reads.ts';
import type { CrossEncoder } from './search/cross-encode.ts';
import { search } from './search/search.ts';
import type { SearchPart } from './search/search-settings.ts';
import { agentStats } from './stats/queries.ts';
import { think } from './think/queries.ts';
import { findUnit } from './units/find-unit.ts';
import { listUnits } from './units/queries.ts';
import type { OwnVectors } from './vectors/embedding-model.ts';

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

interface Serving extends MemoryQueryDeps {
  readonly readModel: MemoryReadModel;
  readonly reads: Reads;
  readonly waiters: OperationWaiters;
}

/** Keeps the memory read model up to date and answers questions to it. */
export async function createMemoryQuery(deps: MemoryQueryDeps): Promise<MemoryReadModel> {
  const { connection, client, stores, lexical, ownVectors, logger } = deps;
  // The read model may apply events before anybody can wait for them.
  let waiters: OperationWaiters | undefined;
  const definition = memoryReadModel({
    ...{ client, stores, lexical, ownVectors },
    onApplied: (version, operations) => {
      if (version === readModel?.version) waiters?.applied(operations);
    },
  });
  let readModel: MemoryReadModel | undefined;
  readModel = await ReadModel.start({ connection, client, db: stores.db, logger }, definition);
  waiters = createWaiters(readModel);
  const serving: Serving = { ...deps, readModel, reads: createReads(readModel), waiters };
  serveWaits(serving);
  serveOperations(serving);
  serveRows(serving);
  serveMemories(serving);
  serveReadModels(deps.service, 'memory-query', [readModel]);
  return readModel;
}

function createWaiters(readModel: MemoryReadModel): OperationWaiters {
  return new OperationWaiters({
    collections: () => readModel.contents().collections,
    isHere: (key) => readModel.isHere(key),
  });
}

function serveWaits({ connection, service, readModel }: Serving): void {
  const log = openLog(connection, memoryStream.name);
  service.serve(memoryQuery.awaitPosition, async ({ sequence, waitMs }) => {
    const deadline = Date.now() + waitMs;
    const message = await messageAt(log, sequence);
    const leftMs = Math.max(0, deadline - Date.now());
    return { reached: await readModel.await(sequence, leftMs, message && agentKeyOf(message.subject)) };
  });
  service.serve(memoryQuery.awaitErasure, awaitErasure(readModel));
}

function serveOperations({ service, store, readModel, reads, waiters }: Serving): void {
  service.serve(memoryQuery.awaitOperation, async ({ waitMs, submittedSequence, operationId, ...agent }) => {
    const [id, key] = [operationId.toLowerCase(), agentKey(agent)];
    readModel.assertCurrent(key);
    const row = await waiters.wait({ operationId: id, agentKey: key, waitMs });
    const unknown = { settled: false, position: null, operation: null };
    if (!row) {
      if (readModel.position(key) < submittedSequence) return unknown;
      const isThere = await operationExists(await reads.ofAgent(agent), id);
      return { ...unknown, settled: !isThere };
    }
    if (row.space !== agent.space || row.settledSequence === null) return unknown;
    const position = formatPosition({ stream: memoryStream.name, sequence: row.settledSequence });
    return { settled: true, position, operation: toStatus(row) };
  });
  service.serve(memoryQuery.listOperations, async (query) => {
    return listOperations(await reads.ofAgent(query, await accepted(store, query)), query);
  });
  service.serve(memoryQuery.operationStatus, (query) => currentStatus({ store, readModel, reads }, query));
}

/** A list that lacks what was just accepted would be taken for "it is done". */
async function accepted(
  store: EventStore<MemoryEvent>,
  query: AgentRef & { readonly minSequence?: number | undefined },
): Promise<number> {
  return Math.max(await store.head(memorySubjects.operationsOf(query)), query.minSequence ?? 0);
}

function serveRows({ service, store, reads }: Serving): void {
  type Asked = { readonly space: string; readonly minSequence?: number | undefined };
  const ofAgent =
    <Q extends Asked & AgentRef, R>(read: (rows: ReadableRows, query: Q) => Promise<R>) =>
    async (query: Q): Promise<R> =>
      read(await reads.ofAgent(query, query.minSequence), query);
  const ofSpace =
    <Q extends Asked & { readonly agentId?: string | undefined }, R>(
      read: (rows: ReadableRows, query: Q) => Promise<R>,
    ) =>
    async (query: Q): Promise<R> => {
      const { space, agentId, minSequence } = query;
      const readable =
        agentId === undefined ? reads.ofSpace(space, minSequence) : reads.ofAgent({ space, agentId }, minSequence);
      return read(await readable, query);
    };
  service.serve(
    memoryQuery.findUnit,
    ofSpace(({ collections }, query) => findUnit(collections, query)),
  );
  service.serve(memoryQuery.findDocument, ofAgent(findDocument));
  service.serve(memoryQuery.listUnits, ofSpace(listUnits));
  service.serve(memoryQuery.graph, ofSpace(graph));
  service.serve(memoryQuery.listDocuments, ofAgent(listDocuments));
  service.serve(memoryQuery.getDocument, ofAgent(getDocument));
  service.serve(
    memoryQuery.listAgents,
    ofSpace(({ collections }, query) => listAgents(collections, query)),
  );
  service.serve(memoryQuery.stats, async (query) => {
    const read = query.isBehindAllowed ? reads.ofAgentAsApplied : reads.ofAgent;
    return agentStats(await read(query, await accepted(store, query)), query);
  });
}

function serveMemories({ service, models, lexical, searchWithout: without, reads, logger }: Serving): void {
  const crossEncoder = crossEncoderOf(models, logger);
  const { embeddings, thinker } = models;
  service.serve(memoryQuery.search, async (query) => {
    const readable = await reads.ofAgentSoon(query, query.minSequence);
    return search({ ...readable, embeddings, lexical, without, crossEncoder }, query);
  });
  service.serve(memoryQuery.affectedOpinions, async (query) => {
    const readable = await reads.ofAgent(query, query.minSequence);
    return { ...(await affectedOpinions({ ...readable, embeddings, lexical }, query)), readAt: readable.readAt };
  });
  service.serve(memoryQuery.think, async (query, { signal }) => {
    const readable = await reads.ofAgent(query, query.minSequence);
    const deps = { ...readable, embeddings, thinker, lexical, clock: () => new Date() };
    return { ...(await think(deps, query, signal)), readAt: readable.readAt };
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
