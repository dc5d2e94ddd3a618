import { QdrantClient } from '@qdrant/js-client-rest';

/** The store of vectors as tests read it. Keeps no connection open, for which Qdrant would wait when it is stopped. */
export function openQdrant(url: string): QdrantClient {
  return new QdrantClient({ url, checkCompatibility: false, headers: { connection: 'close' } });
}
