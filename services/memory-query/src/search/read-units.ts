import type { LexicalEncoder } from '@mneme/models';
import type { ReadableRows } from '../read-model/reads.ts';
import { notRemoved } from '../read-model/removals.ts';
import { linkIndexes, type MemoryCollections } from '../read-model/rows.ts';
import { maxSentContext, startOfContext } from '../units/shown-units.ts';
import type { SpreadingLink } from './activation.ts';
import type { FoundUnit, Visit } from './candidates.ts';
import type { Search } from './question.ts';
import type { Retrieval } from './retrieve.ts';
import { linkSources, linkTargets, type SearchSettings, spreadByLink } from './search-settings.ts';
import { isUncounted, termsOf, type UnitTerms } from './term-weights.ts';

const foundFields = {
  text: 1,
  source: 1,
  factType: 1,
  context: startOfContext(maxSentContext),
  eventDate: 1,
  documentId: 1,
  documentKey: 1,
  operationId: 1,
  fact: 1,
  entities: 1,
  tokens: 1,
  mentions: 1,
  confidence: 1,
} as const;

/** How many rows the server returns in one round trip, instead of the first hundred. */
const atOnce = 10_000;

/** The units that a search visits. */
export interface ReadUnits {
  /** In the order of the visits, without units that are removed, not stored yet, or of another type. */
  readonly visited: readonly FoundUnit[];
  readonly links: readonly SpreadingLink[];
  /** Of the best units of those of the question's terms that are common, by id. */
  readonly terms: ReadonlyMap<string, UnitTerms>;
}

interface ReadDeps extends ReadableRows {
  readonly lexical: LexicalEncoder;
  readonly settings: SearchSettings;
}

/** Reads the units to visit, the links of the best of them, and the units that those lead to. */
export async function readUnits(
  { collections, removals, lexical, settings }: ReadDeps,
  request: Search,
  { hits, entries }: Retrieval,
  visits: readonly Visit[],
): Promise<ReadUnits> {
  const ofTerms = hits.terms.flatMap((hits) => (hits.best && isUncounted(hits) ? [hits.best.id] : []));
  const planned = new Set(visits.map(({ id }) => id));
  const sources = settings.without.has('links') ? [] : entries.slice(0, linkSources).map(({ id }) => id);
  const [links, rows] = await Promise.all([
    linksOf(collections, sources),
    unitsOf({ collections, removals }, [...new Set([...planned, ...ofTerms])]),
  ]);
  const targets = targetsOf(links, planned, request.thinkingBudget - planned.size);
  const known = new Set(ofTerms);
  const linked = await unitsOf(
    { collections, removals },
    targets.filter((id) => !known.has(id)),
  );
  const byId = new Map([...rows, ...linked].map((row) => [row._id, row]));
  const visited = [...planned, ...targets].flatMap((id) => byId.get(id) ?? []).filter(isWanted(request));
  const terms = new Map(ofTerms.flatMap((id) => byId.get(id) ?? []).map((unit) => [unit._id, termsOf(unit, lexical)]));
  return { visited, links, terms };
}

async function unitsOf({ collections, removals }: ReadableRows, ids: readonly string[]): Promise<FoundUnit[]> {
  if (ids.length === 0) return [];
  const wanted = { _id: { $in: [...ids] }, ...notRemoved(removals) };
  return collections.units.find(wanted, { projection: foundFields, batchSize: atOnce }).toArray();
}

/** Two queries, one for each end of a link: with `$or` the server would read all rows instead of only the index. */
async function linksOf({ links }: MemoryCollections, sources: readonly string[]): Promise<SpreadingLink[]> {
  if (sources.length === 0) return [];
  const types = (Object.keys(spreadByLink) as (keyof typeof spreadByLink)[]).filter((type) => spreadByLink[type] > 0);
  const options = { projection: { _id: 0, type: 1, from: 1, to: 1, weight: 1 }, batchSize: atOnce } as const;
  const linked = Object.entries(linkIndexes).map(([end, hint]) =>
    links.find({ [end]: { $in: [...sources] }, type: { $in: types } }, { ...options, hint }).toArray(),
  );
  return (await Promise.all(linked)).flat();
}

/** The units behind the strongest links that would not be looked at otherwise. */
function targetsOf(links: readonly SpreadingLink[], planned: ReadonlySet<string>, budget: number): string[] {
  const strengths = links
    .map((link) => ({ ...link, strength: link.weight * spreadByLink[link.type] }))
    .sort((left, right) => right.strength - left.strength || (left.from + left.to < right.from + right.to ? -1 : 1));
  const ends = strengths.flatMap(({ from, to }) => [from, to]).filter((id) => !planned.has(id));
  return [...new Set(ends)].slice(0, Math.max(0, Math.min(linkTargets, budget)));
}

function isWanted({ factTypes }: Search) {
  return ({ factType }: FoundUnit): boolean => factTypes.length === 0 || factTypes.includes(factType);
}
