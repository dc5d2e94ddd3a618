import { startTestStack } from '@mneme/local-stack';
import { createHashedEmbeddings, createLexicalEncoder } from '@mneme/models';
import { QdrantClient } from '@qdrant/js-client-rest';
import { MongoClient } from 'mongodb';
import { memoryProjection } from '../projection/memory-projection.ts';
import { openReadModel } from '../read-model/open-read-model.ts';

/** Real stores for tests of read models; each read model that is opened is empty and apart from the others. */
export async function startStores() {
  const stack = await startTestStack({ servers: ['mongod', 'qdrant'] });
  const client = await new MongoClient(stack.mongodbUrl).connect();
  const qdrant = new QdrantClient({ url: stack.qdrantUrl, checkCompatibility: false });
  const embeddings = createHashedEmbeddings();
  const lexical = createLexicalEncoder();
  let opened = 0;
  return {
    embeddings,
    lexical,
    qdrant,
    open: async () => {
      opened += 1;
      const db = client.db(`test_${opened}`);
      const readModel = await openReadModel({ db, qdrant, embeddings }, 1);
      const project = () => memoryProjection({ client, db, readModel, lexical });
      await project().readPosition();
      return { db, readModel, project };
    },
    stop: async () => {
      await client.close();
      await stack.stop();
    },
  };
}
