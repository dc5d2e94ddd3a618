import { agentKey } from '@mneme/contracts';
import { chunks } from '@mneme/workers/chunks';
import type { Filter } from 'mongodb';
import { linksOf } from '../read-model/link-rows.ts';
import type { Searchable } from '../read-model/reads.ts';
import { type FoundLink, type FoundUnit, keep, recall } from '../read-model/remembered.ts';
import { notRemoved } from '../read-model/removals.ts';
import { type Link, linkIndexes, type MemoryCollections, type StoredUnit } from '../read-model/rows.ts';
import { rowFilter } from '../units/unit-filter.ts';
import type { Search } from './question/question.ts';
import { type Candidate, linkedVisit, type Visit } from './scoring/activation.ts';
import { linkSources, linkTargets, type SearchPart, spreadByLink } from './search-settings.ts';

const foundFields = {
  text: 1,
  factType: 1,
  // A unit stores no more of its context than is sent; to have the server cut it takes half as long again.
  context: 1,
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
  /** At most `thinkingBudget`. */
  readonly visits: readonly Visit[];
  /** The visits with their units, without those that are removed, not stored yet, or of another type. */
  readonly candidates: readonly Candidate[];
  readonly links: readonly FoundLink[];
  /** Whether a unit that the index has was not stored: it was just removed, perhaps for a new version, or is being added. */
  readonly isOutdated: boolean;
}

/** What a search reads rows with. */
export type RowReads = Pick<Searchable, 'collections' | 'removals' | 'remembered' | 'known'>;

/**
 * Reads the units to visit, the links of the best of them, and the units that those lead to. Up to a tenth of the budget is
 * for units to which only links lead.
 * @param planned best first, at most `thinkingBudget`; the last of them give way to linked units
 */
export async function readUnits(
  deps: RowReads,
  request: Search,
  planned: readonly Visit[],
  without: ReadonlySet<SearchPart>,
): Promise<ReadUnits> {
  const { thinkingBudget } = request;
  const isLinked = !without.has('links');
  const forLinks = isLinked ? placesForLinks(thinkingBudget) : 0;
  const certain = planned.slice(0, thinkingBudget - forLinks);
  const spare = planned.slice(certain.length);
  const entries = planned.filter(({ by }) => by === 'entry');
  const sources = entries.slice(0, isLinked ? linkSources : 0);
  // Before the read, which remembers that a unit does not exist.
  const remembered = knownUnits(deps, request)?.units;
  const expected = entries.filter(({ id }) => remembered?.get(id) !== null);
  const [links, rows] = await Promise.all([
    linksAt(
      deps,
      request,
      sources.map(({ id }) => id),
    ),
    unitsOf(deps, request, idsOf(planned)),
  ]);
  const room = Math.min(linkTargets, thinkingBudget - certain.length);
  const ends = linkedEnds(links, new Set(idsOf(certain)));
  const byId = new Map(rows.map((row) => [row._id, row]));
  const isOutdated = expected.some(({ id }) => !byId.has(id));
  const unread = ends.slice(0, selects(request) ? mostFiltered : room).filter((id) => !byId.has(id));
  for (const row of await unitsOf(deps, request, unread)) byId.set(row._id, row);
  const isFound = (id: string) => {
    const unit = byId.get(id);
    return unit !== undefined && isWanted(request, unit);
  };
  const targets = new Set(ends.filter(isFound).slice(0, room));
  const found = new Map(spare.map((visit) => [visit.id, visit]));
  const linked = [...targets].map((id) => found.get(id) ?? linkedVisit(id));
  const others = spare.filter(({ id }) => !targets.has(id));
  const visits = [...certain, ...linked, ...others].slice(0, thinkingBudget);
  const candidates = visits.flatMap((visit) => {
    const unit = byId.get(visit.id);
    return unit && isWanted(request, unit) ? [{ ...visit, unit }] : [];
  });
  return { visits, candidates, links, isOutdated };
}

/** How many linked units are read, to find some that a filter selects. */
const mostFiltered = 100;

function placesForLinks(thinkingBudget: number): number {
  return Math.min(linkTargets, Math.floor(thinkingBudget / 10));
}

function idsOf(visits: readonly Visit[]): string[] {
  return visits.map(({ id }) => id);
}

/** Which units a caller wants: by the filters of the request and by type. */
function selectedBy(request: Search): Filter<StoredUnit> {
  const { factTypes } = request;
  return { ...rowFilter(request), ...(factTypes.length > 0 && { factType: { $in: [...factTypes] } }) };
}

function selects(request: Search): boolean {
  return Object.keys(selectedBy(request)).length > 0;
}

async function unitsOf(deps: RowReads, request: Search, ids: readonly string[]): Promise<readonly FoundUnit[]> {
  const among = rowFilter(request);
  const known = knownUnits(deps, request);
  if (!known) return findUnits(deps, ids, among);
  const { found, unknown } = recall(known.units, ids);
  const read = await findUnits(deps, unknown, among);
  const byId = new Map(read.map((unit) => [unit._id, unit]));
  deps.remembered.add(agentKey(request), known, ({ units }) => keep(units, unknown, byId, bytesOfUnit));
  return [...found, ...read];
}

function bytesOfUnit({ text, context, metadata }: FoundUnit): number {
  return 2 * (text.length + (context?.length ?? 0) + (metadata?.length ?? 0));
}

async function findUnits(
  { collections, removals }: RowReads,
  ids: readonly string[],
  among: Filter<StoredUnit>,
): Promise<FoundUnit[]> {
  if (ids.length === 0) return [];
  const wanted = { _id: { $in: [...ids] }, ...among, ...notRemoved(removals) };
  return collections.units.find(wanted, { projection: foundFields, batchSize: atOnce }).toArray();
}

/**
 * The visits without those of neighbours that a caller is not interested in, which would take the place of others. For a
 * caller who says how good results have to be, the same holds for places beside a unit where none is.
 */
export async function withoutUnwanted(
  deps: RowReads,
  request: Search,
  visits: readonly Visit[],
): Promise<readonly Visit[]> {
  const isLookedUp = selects(request) || typeof request.minScore === 'number';
  // Where there is room for all, none takes the place of another.
  const { thinkingBudget } = request;
  if (!isLookedUp || visits.length <= thinkingBudget - placesForLinks(thinkingBudget)) return visits;
  const wanted = await wantedOf(deps, request, idsOf(visits.filter(({ by }) => by === 'neighbour')));
  return visits.filter(({ id, by }) => by !== 'neighbour' || wanted.has(id));
}

/** How many units are looked up in one request. */
const lookedUpAtOnce = 1_000;

/** Those of some units that exist and that a caller wants. */
async function wantedOf(deps: RowReads, request: Search, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { found, unknown } = recall(knownUnits(deps, request)?.units ?? new Map(), ids);
  const wanted = new Set(found.filter((unit) => isWanted(request, unit)).map(({ _id }) => _id));
  for (const some of chunks(unknown, lookedUpAtOnce)) {
    const filter = { _id: { $in: [...some] }, ...selectedBy(request) };
    const rows = deps.collections.units.find(filter, { projection: { _id: 1 }, batchSize: atOnce });
    for (const { _id } of await rows.toArray()) wanted.add(_id);
  }
  return wanted;
}

/** What is remembered of units, unless a filter or a removal may leave some out, of which that cannot be told. */
function knownUnits({ removals, known }: RowReads, request: Search): RowReads['known'] {
  const isFiltered = removals.length > 0 || Object.keys(rowFilter(request)).length > 0;
  return isFiltered || !known?.isExact ? undefined : known;
}

/** All links of some units over which activation spreads; those between two of them twice. */
async function linksAt(deps: RowReads, agent: Search, sources: readonly string[]): Promise<FoundLink[]> {
  const known = deps.known?.isExact ? deps.known : undefined;
  const { found, unknown } = known ? recall(known.links, sources) : { found: [], unknown: sources };
  const read = await findLinks(deps.collections, unknown);
  if (known) {
    deps.remembered.add(agentKey(agent), known, ({ links }) => keep(links, unknown, read, bytesOfLinks));
  }
  return [...found, ...read.values()].flat();
}

const bytesPerLink = 150;

function bytesOfLinks(links: readonly FoundLink[]): number {
  return bytesPerLink * links.length;
}

/** The links of each unit, from the rows of the newer ends. */
async function findLinks(
  { links }: MemoryCollections,
  sources: readonly string[],
): Promise<ReadonlyMap<string, readonly FoundLink[]>> {
  const found = new Map(sources.map((id) => [id, [] as FoundLink[]]));
  if (sources.length === 0) return found;
  const among = { $in: [...sources] };
  // Another row has links to any units; only those to these are sent.
  const isAmong = { $in: ['$$this.from', among.$in] };
  const toSources = { links: { $filter: { input: '$links', cond: isAmong } } };
  const [own, newer] = await Promise.all([
    links.find({ _id: among }, { projection: { links: 1 }, batchSize: atOnce }).toArray(),
    links.find({ 'links.from': among }, { projection: toSources, hint: linkIndexes.from, batchSize: atOnce }).toArray(),
  ]);
  for (const link of linksOf(newer)) if (spreads(link)) found.get(link.from)?.push(foundLink(link));
  for (const link of linksOf(own)) if (spreads(link)) found.get(link.to)?.push(foundLink(link));
  return found;
}

function spreads({ type }: Link): boolean {
  return spreadByLink[type] > 0;
}

function foundLink({ type, from, to, weight }: Link): FoundLink {
  return { type, from, to, weight };
}

/** The units behind the links, the strongest first, that would not be visited otherwise. */
function linkedEnds(links: readonly FoundLink[], visited: ReadonlySet<string>): string[] {
  const strengths = links
    .map((link) => ({ ...link, strength: link.weight * spreadByLink[link.type] }))
    .sort((left, right) => right.strength - left.strength || (left.from + left.to < right.from + right.to ? -1 : 1));
  return [...new Set(strengths.flatMap(({ from, to }) => [from, to]).filter((id) => !visited.has(id)))];
}

function isWanted({ factTypes }: Search, { factType }: FoundUnit): boolean {
  return factTypes.length === 0 || factTypes.includes(factType);
}
