import { agentKey, isOfLength, type memoryQuery, type ReplyOf, type RequestOf } from '@mneme/contracts';
import type { EmbeddingModel } from '@mneme/models';
import { characterOf } from '../agents/queries.ts';
import { vectorOf } from '../links/similarity.ts';
import type { ReadableRows } from '../read-model/reads.ts';
import { notRemoved } from '../read-model/removals.ts';
import { unitId } from '../read-model/row-ids.ts';
import { timestamp } from '../read-model/rows.ts';
import { type SearchDeps, search } from '../search/search.ts';

type NewFacts = RequestOf<typeof memoryQuery.affectedOpinions>;
type Affected = Omit<ReplyOf<typeof memoryQuery.affectedOpinions>, 'readAt'>;

/** The most opinions for each fact, and in all: a model weighs each of them. */
const opinionsPerFact = 3;
const maxOpinions = 10;
/** Opinions with a lower share of the best score have a word in common with the fact by chance. */
const shareOfBest = 0.5;
/** Less is chance, whatever the best is. */
const minScore = 0.2;
/** Enough for opinions, which are short. */
const maxTokens = 1_000;
const thinkingBudget = 20;

/** The opinions of an agent that new facts affect. Most agents have none, which takes one index lookup. */
export async function affectedOpinions(deps: SearchDeps, request: NewFacts): Promise<Affected> {
  const { collections } = deps;
  const key = agentKey(request);
  const [agent, any] = await Promise.all([
    characterOf(collections, key),
    collections.units.findOne({ agentKey: key, factType: 'opinion' }, { projection: { _id: 1 } }),
  ]);
  const hasOpinions = any !== null;
  if (!hasOpinions) return { agent, hasOpinions, opinions: [] };
  const facts = new Map<string, number[]>();
  const isUnit = await unitsAmong(deps, request);
  for (const [index, fact] of request.facts.entries()) {
    if (!isUnit(fact)) continue;
    for (const id of await opinionsLike(deps, request, fact)) facts.set(id, [...(facts.get(id) ?? []), index]);
  }
  return { agent, hasOpinions, opinions: await read(deps, request, facts) };
}

/**
 * Tells which facts are units, as the read model has them: one that only repeats another was counted when that came, and one
 * that was removed meanwhile says nothing any more.
 */
async function unitsAmong({ collections, removals }: SearchDeps, { operationId, facts }: NewFacts) {
  const idOf = ({ index }: NewFacts['facts'][number]) => (index === undefined ? undefined : unitId(operationId, index));
  const ids = facts.flatMap((fact) => idOf(fact) ?? []);
  const filter = { _id: { $in: ids }, ...notRemoved(await removals) };
  const rows = await collections.units.find(filter, { projection: { _id: 1 } }).toArray();
  const found = new Set(rows.map(({ _id }) => _id));
  return (fact: NewFacts['facts'][number]) => {
    const id = idOf(fact);
    return id === undefined || found.has(id);
  };
}

/** Searches with the fact's own vector, so that hardly ever a model is called, and without links, because linked units are not affected. */
async function opinionsLike(
  deps: SearchDeps,
  { space, agentId, embeddingModel }: NewFacts,
  { text, vector }: NewFacts['facts'][number],
): Promise<readonly string[]> {
  // A fact of a large batch may have no vector yet, and one that was stored during a change only that of another model.
  const isComparable = isOfLength(vector, deps.embeddings.dimensions) && embeddingModel === deps.embeddings.name;
  const embedded = isComparable ? vectorOf(vector) : await embedFact(deps.embeddings, text);
  const whole = Array.from(embedded);
  const wanted = { space, agentId, query: text, factTypes: ['opinion' as const], maxTokens };
  const settings = { thinkingBudget, reranker: 'none' as const, minScore, trace: false, questionDate: null };
  const { results } = await search(
    { ...deps, embedded: Promise.resolve({ whole, balanced: whole }), without: ['links'] },
    { ...wanted, ...settings },
  );
  const least = shareOfBest * (results[0]?.score ?? 0);
  return results
    .filter(({ score }) => score >= least)
    .slice(0, opinionsPerFact)
    .map(({ id }) => id);
}

async function embedFact({ embed }: EmbeddingModel, text: string): Promise<Float32Array> {
  const [vector] = await embed([text], undefined, 'background');
  if (!vector) throw new Error('The embedding model gave no vector for the fact');
  return vector;
}

/** The opinions that most facts affect first. */
async function read(
  { collections }: SearchDeps,
  { operationId, minSequence = Number.MAX_SAFE_INTEGER }: NewFacts,
  facts: ReadonlyMap<string, number[]>,
): Promise<Affected['opinions']> {
  const before = { operationId: { $ne: operationId }, sequence: { $lt: minSequence } };
  const filter = { _id: { $in: [...facts.keys()] }, ...before };
  const rows = await collections.units.find(filter, { projection: { text: 1, confidence: 1, eventDate: 1 } }).toArray();
  return rows
    .map(({ _id, text, confidence, eventDate }) => {
      return { unitId: _id, text, confidence, eventDate: timestamp(eventDate), facts: facts.get(_id) ?? [] };
    })
    .sort((left, right) => right.facts.length - left.facts.length || (left.unitId < right.unitId ? -1 : 1))
    .slice(0, maxOpinions);
}

/** Which of some texts are opinions that the agent holds. */
export async function heldOpinions(
  { collections, removals }: ReadableRows,
  { texts, ...agent }: RequestOf<typeof memoryQuery.heldOpinions>,
): Promise<ReplyOf<typeof memoryQuery.heldOpinions>> {
  const opinions = { agentKey: agentKey(agent), factType: 'opinion' as const, text: { $in: texts } };
  const rows = await collections.units
    .find({ ...opinions, ...notRemoved(removals) }, { projection: { text: 1 } })
    .toArray();
  const held = new Set(rows.map(({ text }) => text));
  return { texts: texts.filter((text) => held.has(text)) };
}

/**
 * Which of the opinions that were formed with a thought became units of their own.
 * @param texts of all of them, in their order
 */
export async function storedOpinions(
  { collections, removals }: ReadableRows,
  { thoughtId, texts }: RequestOf<typeof memoryQuery.storedOpinions>,
): Promise<ReplyOf<typeof memoryQuery.storedOpinions>> {
  const ids = texts.map((_, index) => unitId(thoughtId, index));
  const filter = { _id: { $in: ids }, ...notRemoved(removals) };
  const rows = await collections.units.find(filter, { projection: { _id: 1 } }).toArray();
  const stored = new Set(rows.map(({ _id }) => _id));
  return { texts: texts.filter((_, index) => stored.has(ids[index] ?? '')) };
}
