import type { QdrantClient } from '@qdrant/js-client-rest';
import { LRUCache } from 'lru-cache';
import { bestFirst, type Point, toScored } from './qdrant-queries.ts';
import type { UnitPlace, VectorIndex } from './vector-index.ts';

/** How many of the most similar units tell whether anything is related to a question. */
const closestUnits = 5;
/** Places of units of all agents together; an entry has about 400 bytes. */
const mostRemembered = 50_000;
/** In milliseconds. A place only changes when a unit becomes a question, or no longer is one, by a correction. */
const rememberedForMs = 60_000;
const placeFields = ['op', 'fact', 'first', 'last', 'document', 'turn', 'appended', 'asks'];

/**
 * Reads what a search wants to know about its hits, in one request. Places are remembered: the store takes longer to read the
 * place of a unit than to find the unit, and the questions to one agent find the same units again and again.
 */
export function createDetailsReader(client: QdrantClient, name: string): VectorIndex['details'] {
  const remembered = new LRUCache<string, UnitPlace>({ max: mostRemembered, ttl: rememberedForMs });
  return async ({ ids, words, withWords, whole, withMeaning }) => {
    const known = new Map(ids.map((id) => [id, remembered.get(id)]));
    const unknown = ids.filter((id) => known.get(id) === undefined);
    const found = await askAll(client, name, {
      words: { ...among(words.indices.length === 0 ? [] : withWords), query: words, using: 'words' },
      closest: { ...among(withMeaning, closestUnits), query: [...whole], using: 'dense', params: { exact: true } },
      places: { ...among(unknown), with_payload: placeFields },
    });
    for (const place of found.places.map(toPlace)) {
      known.set(place.id, place);
      remembered.set(place.id, place);
    }
    return {
      places: new Map([...known].flatMap(([id, place]) => (place ? [[id, place]] : []))),
      words: found.words.map(toScored).sort(bestFirst),
      closest: found.closest.map(({ score }) => score),
    };
  };
}

function among(ids: readonly string[], most = ids.length) {
  return { filter: { must: [{ has_id: [...ids] }] }, limit: Math.min(most, ids.length), with_payload: false };
}

interface StoredPoint extends Point {
  readonly payload?: Record<string, unknown> | null | undefined;
}

interface Limited {
  readonly limit: number;
  readonly [field: string]: unknown;
}

/** Sends the searches that can have an answer in one request. */
async function askAll<Name extends string>(
  client: QdrantClient,
  name: string,
  searches: Readonly<Record<Name, Limited>>,
): Promise<Record<Name, readonly StoredPoint[]>> {
  const names = (Object.keys(searches) as Name[]).filter((each) => searches[each].limit > 0);
  const asked = { searches: names.map((each) => searches[each]) };
  const answers = names.length === 0 ? [] : await client.queryBatch(name, asked);
  const found = Object.keys(searches).map((each) => [each, answers[names.indexOf(each as Name)]?.points ?? []]);
  return Object.fromEntries(found);
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
