import { memoryStream } from '@mneme/contracts';
import { type Log, messageAt, openLog, streamState } from '@mneme/event-store';
import type { EmbeddingModel } from '@mneme/models';
import { ReadModel } from '@mneme/read-models';
import type { MemoryQueryDeps } from './deps.ts';
import { serveQueries } from './endpoints.ts';
import { OperationWaiters } from './operations/waiters.ts';
import { memoryStore } from './projection/memory-store.ts';
import { type AgentKeyAt, createAgentKeys } from './read-model/agent-keys.ts';
import { type MemoryReadModel, memoryReadModel, versionsWithVectors } from './read-model/read-model.ts';
import { createReads } from './read-model/reads.ts';

/** Keeps the read model of memories up to date and answers queries. */
export async function createMemoryQuery(deps: MemoryQueryDeps): Promise<MemoryReadModel> {
  const { connection, client, stores, lexical, ownVectors, logger } = deps;
  // Events may be applied before `ReadModel.start` has returned.
  let readModel: MemoryReadModel | undefined;
  let waiters: OperationWaiters | undefined;
  const { createdAt } = await streamState(openLog(connection, memoryStream.name));
  const storeOf = (version: number, embeddings: EmbeddingModel) =>
    memoryStore({
      client,
      stores: { ...stores, embeddings },
      version,
      lexical,
      log: createdAt,
      ownVectors: ownVectors(embeddings),
      onApplied: (operations, createdBy) => {
        if (version === readModel?.version) waiters?.applied(operations, createdBy);
      },
    });
  const definition = memoryReadModel(deps.embeddings, storeOf, () => versionsWithVectors(stores, createdAt));
  const started = await ReadModel.start({ connection, client, db: stores.db, logger }, definition);
  readModel = started;
  waiters = new OperationWaiters({
    collections: () => started.contents().collections,
    isHere: (key) => started.isHere(key),
    position: (key) => started.position(key),
  });
  const agentKeyAt = agentKeysOf(openLog(connection, memoryStream.name), started);
  serveQueries({ ...deps, readModel, agentKeyAt, reads: createReads(readModel, agentKeyAt), waiters });
  return readModel;
}

function agentKeysOf(log: Log, readModel: MemoryReadModel): AgentKeyAt {
  const subjectAt = async (sequence: number) => (await messageAt(log, sequence))?.subject;
  return createAgentKeys({ subjectAt, version: () => readModel.version });
}
