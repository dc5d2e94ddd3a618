import { memoryStream } from '@mneme/contracts';
import { messageAt, openLog, streamState } from '@mneme/event-store';
import type { EmbeddingModel } from '@mneme/models';
import { ReadModel } from '@mneme/read-models';
import type { MemoryQueryOptions } from './deps.ts';
import { serveQueries } from './endpoints.ts';
import { OperationWaiters } from './operations/waiters.ts';
import { memoryStore } from './projection/memory-store.ts';
import { createAgentKeys } from './read-model/agent-keys.ts';
import { type MemoryReadModel, memoryReadModel, versionsWithVectors } from './read-model/read-model.ts';
import { createReads } from './read-model/reads.ts';

/** Keeps the read model of memories up to date and answers queries. */
export async function createMemoryQuery(options: MemoryQueryOptions): Promise<MemoryReadModel> {
  const { connection, client, stores, lexical, ownVectors, isAside, logger } = options;
  // Events may be applied before `ReadModel.start` has returned.
  let readModel: MemoryReadModel | undefined;
  let waiters: OperationWaiters | undefined;
  const log = openLog(connection, memoryStream.name);
  const { createdAt } = await streamState(log);
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
  const definition = memoryReadModel(options.embeddings, storeOf, () => versionsWithVectors(stores, createdAt));
  const started = await ReadModel.start({ connection, client, db: stores.db, isAside, logger }, definition);
  readModel = started;
  waiters = new OperationWaiters({
    collections: () => started.contents().collections,
    isHere: (key) => started.isHere(key),
    position: (key) => started.position(key),
  });
  const at = (sequence: number) => messageAt(log, sequence);
  const subjectAt = async (sequence: number) => (await at(sequence))?.subject;
  const agentKeyAt = createAgentKeys({ subjectAt, version: () => started.version });
  const reads = createReads(readModel, agentKeyAt);
  serveQueries({ ...options, readModel, agentKeyAt, messageAt: at, reads, waiters });
  return readModel;
}
