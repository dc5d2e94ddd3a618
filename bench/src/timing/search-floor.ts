import { agentKey } from '@mneme/contracts';
import { createLexicalEncoder, scopeTerms } from '@mneme/models';
import type { QdrantClient } from '@qdrant/js-client-rest';
import type { FloorVectors } from './floor-vectors.ts';

/** How many units a search visits unless told otherwise, and so how many points are asked for. */
const limit = 100;

/** The body of a hybrid query, made before the clock runs. */
export type HybridQuery = Parameters<QdrantClient['query']>[1];

const lexical = createLexicalEncoder();

/** One round trip that searches an agent's points by meaning and by words and fuses the two, in the server. */
export async function hybridQuery(agentId: string, question: string, floorVectors: FloorVectors): Promise<HybridQuery> {
  const dense = await floorVectors(question);
  const filter = filterOf(agentId);
  const words = scopeTerms(keyOf(agentId), lexical.query(question));
  return {
    prefetch: [
      { query: dense, using: 'dense', filter, limit },
      { query: words, using: 'words', filter, limit },
    ],
    query: { fusion: 'rrf' },
    limit,
    with_payload: false,
  };
}

/**
 * The collection that the system keeps an agent's units in, whatever its name is.
 * @throws Error when no collection has a point of the agent, or several have
 */
export async function findCollection(qdrant: QdrantClient, agentId: string): Promise<string> {
  const { collections } = await qdrant.getCollections();
  const counted = await Promise.all(
    collections.map(async ({ name }) => ({ name, ...(await qdrant.count(name, { filter: filterOf(agentId) })) })),
  );
  const [found, ...others] = counted.filter(({ count }) => count > 0);
  if (found && others.length === 0) return found.name;
  throw new Error(`Expected one collection with points of ${agentId}: ${JSON.stringify(counted)}`);
}

function filterOf(agentId: string) {
  return { must: [{ key: 'agent', match: { value: keyOf(agentId) } }] };
}

function keyOf(agentId: string) {
  return agentKey({ space: 'public', agentId });
}
