import {
  type MemoryEvent,
  type MemoryUnit,
  maxShownLinks,
  type memoryQuery,
  memorySubjects,
  type OpinionChange,
  type RequestOf,
  type UnitLink,
} from '@mneme/contracts';
import { type EventStore, newestStore, type StoredMessage } from '@mneme/event-store';
import { assertAgentAllowed, DomainError } from '../errors.ts';
import { eachLink, linkId, linksOf } from '../read-model/link-rows.ts';
import type { ReadableRows, Reads } from '../read-model/reads.ts';
import { isRemoved, notRemoved } from '../read-model/removals.ts';
import { type Link, timestamp, type Unit } from '../read-model/rows.ts';
import { cut, maxSentContext } from './shown-units.ts';
import { type ChangesFold, formerTexts, type OpinionStep, opinionSteps, unitChanges } from './unit-history.ts';
import { type Creation, creationOf } from './unit-origin.ts';

export interface GetUnitDeps {
  readonly store: EventStore<MemoryEvent>;
  readonly reads: Pick<Reads, 'ofAgent' | 'ofKey' | 'ofSpace'>;
  /** The message of the log at a sequence. */
  readonly messageAt: (sequence: number) => Promise<StoredMessage | undefined>;
}

type GetUnit = RequestOf<typeof memoryQuery.getUnit>;

/** How much of the text of another unit is shown, in characters. */
const maxOtherText = 500;

/**
 * A unit with its links, and what the log says about it: where it comes from, its former texts, and how an opinion changed.
 * @throws DomainError and WireError like `unitAsOfLog`
 */
export async function getUnit(deps: GetUnitDeps, query: GetUnit): Promise<MemoryUnit> {
  const { store, readable, unit, changes } = await unitAsOfLog(deps, query, unitChanges);
  const creation = creationOf(unit, await deps.messageAt(unit.sequence));
  const isOpinion = unit.factType === 'opinion';
  const [{ links, hasMore }, basedOn] = await Promise.all([
    readLinks(readable, unit),
    isOpinion ? factsOfAnswer(store, creation) : [],
  ]);
  const steps = isOpinion ? opinionSteps(changes, creation, basedOn) : null;
  return {
    ...shown(unit, creation),
    links,
    has_more_links: hasMore,
    origin: creation?.origin ?? null,
    history: formerTexts(changes, creation),
    opinion: steps && (await withTexts(readable, steps)),
  };
}

/**
 * A unit and its changes in the log. The rows are read when they contain all changes that the log has.
 * @throws DomainError `unit-not-found` when the space, or the agent, has no such unit, `agent-not-allowed` when it belongs to another
 * agent than `onlyAgent`; WireError 503 like `Reads.ofKey`
 */
export async function unitAsOfLog<T>(deps: GetUnitDeps, query: GetUnit, { none, add }: ChangesFold<T>) {
  const { reads } = deps;
  const store = newestStore(deps.store);
  const { space, agentId, minSequence = 0 } = query;
  const rows =
    agentId === undefined
      ? reads.ofSpace(space, query.minSequence)
      : reads.ofAgent({ space, agentId }, query.minSequence);
  const found = await readUnit(await rows, query);
  const { state: changes, revision } = await store.fold<T>(
    memorySubjects.unit(found, found._id),
    (before, event) =>
      event.type === 'UnitCorrected' || event.type === 'OpinionRevised' ? add(before, event) : before,
    none,
  );
  const readable = await reads.ofKey(space, found.agentKey, Math.max(revision, minSequence));
  return { store, readable, unit: await readUnit(readable, query), changes };
}

async function readUnit(
  { collections, removals }: ReadableRows,
  { space, unitId, agentId, onlyAgent }: GetUnit,
): Promise<Unit> {
  const row = await collections.units.findOne({ _id: unitId.toLowerCase(), space }, { projection: { vector: 0 } });
  if (!row || isRemoved(row, removals)) throw new DomainError('unit-not-found');
  assertAgentAllowed(row.agentId, onlyAgent);
  if (row.agentId !== (agentId ?? row.agentId)) throw new DomainError('unit-not-found');
  return row;
}

function shown(unit: Unit, creation: Creation | undefined) {
  const { documentId, context } = unit;
  return {
    id: unit._id,
    agent_id: unit.agentId,
    text: unit.text,
    context: creation?.context ?? (context === null ? null : cut(context, maxSentContext)),
    date: timestamp(unit.eventDate),
    fact_type: unit.factType,
    entities: [...unit.entities],
    confidence: unit.confidence,
    mentions: unit.mentions,
    document: documentId === null ? null : { id: documentId, item: creation?.item ?? null, fact: unit.fact },
  };
}

/** The strongest links in both directions, without those to units that no longer exist. */
async function readLinks(
  readable: ReadableRows,
  { _id }: Pick<Unit, '_id'>,
): Promise<{ links: UnitLink[]; hasMore: boolean }> {
  const { links } = readable.collections;
  const toNewer = [
    { $match: { 'links.from': _id } },
    ...eachLink,
    { $match: { from: _id } },
    { $sort: { weight: -1, type: 1, to: 1 } },
    { $limit: maxShownLinks + 1 },
  ];
  const [own, outgoing] = await Promise.all([links.find({ _id }).toArray(), links.aggregate<Link>(toNewer).toArray()]);
  const all = [...linksOf(own), ...outgoing].sort(strongestFirst);
  const otherEnd = ({ from, to }: Link) => (to === _id ? from : to);
  const texts = await textsOf(readable, all.map(otherEnd));
  const drawn = all.flatMap((link): UnitLink[] => {
    const { type, weight, entity } = link;
    const id = otherEnd(link);
    const text = texts.get(id);
    const direction = link.to === _id ? 'in' : 'out';
    return text === undefined ? [] : [{ type, direction, weight, entity, unit: { id, text } }];
  });
  return { links: drawn.slice(0, maxShownLinks), hasMore: drawn.length > maxShownLinks };
}

function strongestFirst(left: Link, right: Link): number {
  return right.weight - left.weight || (linkId(left) < linkId(right) ? -1 : 1);
}

/** The texts of those units that exist, by id. */
export async function textsOf(
  { collections, removals }: ReadableRows,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const wanted = { _id: { $in: [...new Set(ids)] }, ...notRemoved(removals) };
  const rows = await collections.units.find(wanted, { projection: { text: 1 } }).toArray();
  return new Map(rows.map(({ _id, text }) => [_id, cut(text, maxOtherText)]));
}

/** The ids of the units that the answer was based on in which an opinion was formed. */
export async function factsOfAnswer(
  store: Pick<EventStore<MemoryEvent>, 'fold'>,
  creation: Creation | undefined,
): Promise<readonly string[]> {
  if (creation?.event.type !== 'OpinionsFormed') return [];
  const find = (found: readonly string[], event: MemoryEvent) =>
    event.type === 'QuestionAnswered' ? event.data.basedOn : found;
  return (await store.fold(creation.event.subject, find, [])).state;
}

async function withTexts(readable: ReadableRows, steps: readonly OpinionStep[]): Promise<OpinionChange[]> {
  const texts = await textsOf(
    readable,
    steps.flatMap(({ facts }) => facts),
  );
  return steps.map(({ change, event, before, after, facts }) => ({
    change,
    event,
    confidence_before: before,
    confidence_after: after,
    facts: facts.map((id) => ({ id, text: texts.get(id) ?? null })),
  }));
}
