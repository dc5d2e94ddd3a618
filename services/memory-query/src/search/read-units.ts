import type { Filter } from 'mongodb';
import type { ReadableRows } from '../read-model/reads.ts';
import { notRemoved } from '../read-model/removals.ts';
import { linkIndexes, type MemoryCollections, type StoredUnit } from '../read-model/rows.ts';
import { maxSentContext, startOfContext } from '../units/shown-units.ts';
import { linkedVisit, type SpreadingLink, type Visit } from './activation.ts';
import type { Candidate, FoundUnit } from './candidate.ts';
import type { Search } from './question.ts';
import { linkSources, linkTargets, type SearchPart, spreadByLink } from './search-settings.ts';
import { rowFilter } from './unit-filter.ts';

const foundFields = {
  text: 1,
  factType: 1,
  context: startOfContext(maxSentContext),
  eventDate: 1,
  documentId: 1,
  entities: 1,
  tokens: 1,
  mentions: 1,
  confidence: 1,
  role: 1,
  metadata: 1,
} as const;

/** How many rows the server returns in one round trip, instead of the first hundred. */
const atOnce = 10_000;

/** The units that a search visits. */
export interface ReadUnits {
  /** In the order of the visits, without units that are removed, not stored yet, or of another type. */
  readonly candidates: readonly Candidate[];
  readonly links: readonly SpreadingLink[];
}

/** Reads the units to visit, the links of the best of them, and the units that those lead to. */
export async function readUnits(
  { collections, removals }: ReadableRows,
  request: Search,
  visits: readonly Visit[],
  without: ReadonlySet<SearchPart>,
): Promise<ReadUnits> {
  const stored = { collections, removals };
  const wanted = rowFilter(request);
  const planned = new Set(visits.map(({ id }) => id));
  const sources = visits.filter(({ by }) => by === 'entry').slice(0, without.has('links') ? 0 : linkSources);
  const [links, rows] = await Promise.all([
    linksOf(
      collections,
      sources.map(({ id }) => id),
    ),
    unitsOf(stored, [...planned], wanted),
  ]);
  const targets = targetsOf(links, planned, request.thinkingBudget - planned.size);
  const linked = await unitsOf(stored, targets, wanted);
  const byId = new Map([...rows, ...linked].map((row) => [row._id, row]));
  const candidates = [...visits, ...targets.map(linkedVisit)].flatMap((visit) => {
    const unit = byId.get(visit.id);
    return unit && isWanted(request, unit) ? [{ ...visit, unit }] : [];
  });
  return { candidates, links };
}

async function unitsOf(
  { collections, removals }: ReadableRows,
  ids: readonly string[],
  among: Filter<StoredUnit>,
): Promise<FoundUnit[]> {
  if (ids.length === 0) return [];
  const wanted = { _id: { $in: [...ids] }, ...among, ...notRemoved(removals) };
  return collections.units.find(wanted, { projection: foundFields, batchSize: atOnce }).toArray();
}

/** The visits without those of neighbours that a caller is not interested in, which would take the place of others. */
export async function withoutUnwanted(
  { units }: MemoryCollections,
  request: Search,
  visits: readonly Visit[],
): Promise<readonly Visit[]> {
  const among = rowFilter(request);
  const neighbours = visits.filter(({ by }) => by === 'neighbour').map(({ id }) => id);
  if (Object.keys(among).length === 0 || neighbours.length === 0) return visits;
  const found = await units.find({ _id: { $in: neighbours }, ...among }, { projection: { _id: 1 } }).toArray();
  const wanted = new Set(found.map(({ _id }) => _id));
  return visits.filter(({ id, by }) => by !== 'neighbour' || wanted.has(id));
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

function isWanted({ factTypes }: Search, { factType }: FoundUnit): boolean {
  return factTypes.length === 0 || factTypes.includes(factType);
}
