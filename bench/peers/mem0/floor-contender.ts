import { randomUUID } from 'node:crypto';
import { QdrantClient } from '@qdrant/js-client-rest';
import { createHttpClient, type HttpClient } from '../../src/system/http-client.ts';
import type { Contender } from './contender.ts';

interface EmbeddingList {
  readonly data: readonly { readonly embedding: number[] }[];
}

const collection = 'bench_floor';
const limit = 20;

/** The least that a memory with these models does: to add, one chat, one embedding, one upsert that waits; to search, one embedding, one query. */
export async function createFloor(name: string, modelUrl: string, qdrantUrl: string): Promise<Contender> {
  const models = createHttpClient(modelUrl);
  const qdrant = new QdrantClient({
    url: qdrantUrl,
    headers: { 'accept-encoding': 'identity' },
    checkCompatibility: false,
  });
  const size = (await embed(models, 'How long is a vector?')).length;
  await qdrant.createCollection(collection, { vectors: { size, distance: 'Cosine' } });
  await qdrant.createPayloadIndex(collection, { field_name: 'owner', field_schema: 'keyword', wait: true });
  return {
    name,
    add: async (owner, text) => {
      await models.post('/v1/chat/completions', { model: 'stand-in', messages: [{ role: 'user', content: text }] });
      const vector = await embed(models, text);
      await qdrant.upsert(collection, { wait: true, points: [{ id: randomUUID(), vector, payload: { owner, text } }] });
    },
    search: async (owner, query) => {
      const filter = { must: [{ key: 'owner', match: { value: owner } }] };
      const vector = await embed(models, query);
      const found = await qdrant.query(collection, { query: vector, filter, limit, with_payload: true });
      return found.points.length;
    },
    close: async () => models.close(),
  };
}

async function embed(models: HttpClient, input: string): Promise<number[]> {
  const { data } = (await models.post('/v1/embeddings', { model: 'stand-in', input })) as EmbeddingList;
  return data[0]?.embedding ?? [];
}
