import { type SparseVector, scopeTerms } from '@mneme/models';
import { chunks } from '@mneme/workers/chunks';
import type { QdrantClient } from '@qdrant/js-client-rest';
import type { Point } from './qdrant-queries.ts';
import type { IndexedUnit, UnitPlace } from './vector-index.ts';

const placeFields = ['op', 'fact', 'first', 'last', 'document', 'turn', 'appended', 'asks'];

/** About a megabyte of JSON. */
const idsAtOnce = 1_000;

/** Reads how units of an agent are indexed. Those that are not stored are missing. */
export async function readIndexed(
  client: QdrantClient,
  name: string,
  agentKey: string,
  ids: readonly string[],
): Promise<Map<string, IndexedUnit>> {
  const found = new Map<string, IndexedUnit>();
  // Each answer is parsed in one go, while which nothing else is done.
  for (const some of chunks(ids, idsAtOnce)) {
    const wanted = { ids: [...some], with_payload: placeFields, with_vector: ['words'] };
    for (const point of await client.retrieve(name, wanted)) {
      found.set(String(point.id), { place: toPlace(point), words: scopeTerms(agentKey, wordsOf(point.vector)) });
    }
  }
  return found;
}

/**
 * The score by words as Qdrant computes it: the sum of products in single precision. For units that it was not asked about,
 * because others have more of the words.
 */
export function scoreByWords(question: ReadonlyMap<number, number>, { indices, values }: SparseVector): number {
  let sum = 0;
  for (let at = 0; at < indices.length; at += 1) {
    const weight = question.get(indices[at] as number);
    if (weight !== undefined) sum = Math.fround(sum + Math.fround(Math.fround(weight) * (values[at] as number)));
  }
  return sum;
}

interface StoredPoint extends Pick<Point, 'id'> {
  readonly payload?: Record<string, unknown> | null | undefined;
}

function wordsOf(vector: unknown): SparseVector {
  return (vector as { readonly words?: SparseVector } | undefined)?.words ?? { indices: [], values: [] };
}

function toPlace({ id, payload: place }: StoredPoint): UnitPlace {
  return {
    id: String(id),
    operationId: String(place?.op),
    fact: Number(place?.fact),
    passage: { first: Number(place?.first), last: Number(place?.last) },
    documentKey: typeof place?.document === 'string' ? place.document : null,
    turn: Number(place?.turn),
    isAppended: place?.appended === true,
    hasQuestion: place?.asks === true,
  };
}
