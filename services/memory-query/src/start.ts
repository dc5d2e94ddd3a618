import { embeddingEvents, memoryEvents, memoryStream } from '@mneme/contracts';
import { areLate, type LogEmbeddings, type StartedModels, startModels } from '@mneme/embedding-model';
import { connectEventStore } from '@mneme/event-store';
import { countUsage, createLexicalEncoder } from '@mneme/models';
import { createReadSlots, startReadModelService } from '@mneme/read-models';
import type { ServiceProcess } from '@mneme/service-kit';
import type { MemoryQueryConfig } from './config.ts';
import { refusalReply } from './errors.ts';
import { finishModelChange } from './read-model/finish-model-change.ts';
import { createMemoryQuery } from './service.ts';
import { connectQdrant } from './stores/qdrant-client.ts';
import { createOwnVectors } from './vectors/embedding-model.ts';

/**
 * Starts memory-query with its stores. Stopping it leaves the connection to NATS open.
 * @param given created from the configuration unless given
 */
export async function startMemoryQuery(
  config: MemoryQueryConfig,
  { models: given, ...process }: ServiceProcess & { readonly models?: StartedModels },
) {
  const { logger, metrics } = process;
  const name = 'memory-query';
  const options = { connection: process.connection, source: name, logger, onUsage: countUsage(metrics) };
  const { models, embeddings, notice } = given ? { ...given, notice: undefined } : await startModels(config, options);
  return startReadModelService(
    { ...process, name, config, streams: [memoryStream], mapError: refusalReply },
    async (opened) => {
      const { connection, db } = opened;
      const log = { connection, stream: memoryStream.name, source: name };
      const store = connectEventStore({ ...log, catalog: memoryEvents });
      const embeddingStore = connectEventStore({ ...log, catalog: embeddingEvents });
      const qdrant = await connectQdrant(config.QDRANT_URL, config.QDRANT_API_KEY);
      const lexical = createLexicalEncoder();
      const readModel = await createMemoryQuery({
        ...opened,
        store,
        stores: { db, qdrant },
        models,
        embeddings: { wanted: () => embeddings.next() ?? embeddings.current(), loaded: () => embeddings.loaded() },
        lexical,
        ownVectors: (model) => {
          const areExpected = expectedVectors(embeddings, model.name);
          return createOwnVectors({ store: embeddingStore, embeddings: model, areExpected, logger });
        },
        searchWithout: config.SEARCH_WITHOUT,
        readSlots: createReadSlots({ metrics, service: name, atOnce: config.QUERY_CONCURRENCY }),
      });
      const ending = finishModelChange(readModel, embeddings, logger);
      return {
        readModels: [readModel],
        store,
        checks: {
          qdrant: async () => (await qdrant.getCollections()).collections.length > 0,
          'read model memory': () => readModel.readiness(),
        },
        about: { models: models.describe(), lexical: lexical.name, notice },
        giveUp: () => qdrant.giveUp(),
        stop: async () => {
          ending.stop();
          await readModel.stop();
          qdrant.close();
          if (given) return;
          await embeddings.stop();
          await models.close();
        },
      };
    },
  );
}

/** Later vectors take effect where they stand in the log, and the model before gets none for what is stored after it. */
function expectedVectors(embeddings: LogEmbeddings, model: string): (sequence: number) => boolean {
  return (sequence) => {
    const state = embeddings.state();
    return model === (state.next ?? state.current) && !areLate(state, model, sequence);
  };
}
