import { agentKey } from '@mneme/contracts';
import { createHashedEmbeddings, createLexicalEncoder } from '@mneme/models';
import type { QdrantClient } from '@qdrant/js-client-rest';

/** How many units a search visits unless told otherwise, and so how many points are asked for. */
const limit = 100;

/** The body of a hybrid query, made before the clock runs. */
export type HybridQuery = Parameters<QdrantClient['query']>[1];

const embeddings = createHashedEmbeddings();
const lexical = createLexicalEncoder();

/** One round trip that searches an agent's points by meaning and by words and fuses the two, in the server. */
export async function hybridQuery(agentId: string, question: string): Promise<HybridQuery> {
  const [dense] = await embeddings.embed([question]);
  const filter = { must: [{ key: 'agent', match: { value: agentKey({ space: 'public', agentId }) } }] };
  return {
    prefetch: [
      { query: [...(dense ?? [])], using: 'dense', filter, limit },
      { query: lexical.query(question), using: 'lexical', filter, limit },
    ],
    query: { fusion: 'rrf' },
    limit,
    with_payload: false,
  };
}

/**
 * The collection that the system keeps its units in.
 * @throws Error when there is not exactly one
 */
export async function findCollection(qdrant: QdrantClient): Promise<string> {
  const names = (await qdrant.getCollections()).collections.map(({ name }) => name);
  const [name, ...others] = names;
  if (name === undefined || others.length > 0) throw new Error(`Expected one collection, found: ${names.join(', ')}`);
  return name;
}
