import { agentKey } from '@mneme/contracts';
import { QdrantClient } from '@qdrant/js-client-rest';

/** The store of vectors as tests read it. Keeps no connection open, for which Qdrant would wait when it is stopped. */
export function openQdrant(url: string): QdrantClient {
  return new QdrantClient({ url, checkCompatibility: false, headers: { connection: 'close' } });
}

/** The ids of all vectors that Qdrant holds of an agent, sorted, beside the system under test. */
export async function vectorIdsOf(qdrantUrl: string, agentId: string, space = 'public'): Promise<string[]> {
  const client = openQdrant(qdrantUrl);
  const agent = agentKey({ space, agentId });
  const filter = { must: [{ key: 'agent', match: { value: agent } }] };
  const { collections } = await client.getCollections();
  const pages = collections.map(({ name }) => client.scroll(name, { filter, limit: 10_000, with_payload: false }));
  return (await Promise.all(pages)).flatMap(({ points }) => points.map(({ id }) => String(id))).sort();
}
