import type { GiveWay } from '@mneme/read-models';
import { chunks } from '@mneme/workers/chunks';
import { createTimeSlice } from '@mneme/workers/time-slices';
import { EntityBook } from '../entities/entity-book.ts';
import { deriveLinks, type NewLink } from '../links/derive-links.ts';
import { nearestCandidates } from '../links/link-settings.ts';
import type { NewestUnits } from '../links/newest-units.ts';
import { repeatedUnit, vectorOf } from '../links/similarity.ts';
import { type EmbeddedUnit, readSurroundings, type StoredSurroundings } from '../links/surroundings.ts';
import { TimeLine } from '../links/time-line.ts';
import type { StoredContents } from '../read-model/read-model.ts';
import { unitId } from '../read-model/row-ids.ts';
import type { StoredRemoval, Unit } from '../read-model/rows.ts';
import type { UnitWithVector, WorkingSet } from '../read-model/working-set.ts';
import type { LaneRemovals } from './lane-removals.ts';
import { similarUnits, uncountRepeated, unitCountIn, type WrittenUnit, writtenUnit } from './similar-units.ts';

/** How many new units are derived together. They are compared with one another. */
const unitsAtOnce = 100;
/** The most ids that are excluded from a search of the vector index. */
export const maxExcluded = 1_000;

/** What is derived from the new units of a batch of events. */
export interface Derived {
  readonly links: readonly NewLink[];
  readonly entities: EntityBook;
  /** How often stored units were repeated. */
  readonly repetitions: ReadonlyMap<string, number>;
}

export interface DeriveDeps extends StoredContents {
  /** The pending removals of earlier events. */
  readonly removals: Pick<LaneRemovals, 'of'>;
  readonly newest: NewestUnits;
  /** The removals that begin with these events. */
  readonly begun: readonly StoredRemoval[];
  /** Units that these events remove. */
  readonly gone: ReadonlySet<string>;
  /** Those of them that are still in the vector index. */
  readonly goneInIndex: readonly string[];
  /** Adds units to the vector index, so that the units after them are compared with them. */
  readonly writeVectors: (units: readonly UnitWithVector[]) => Promise<void>;
  /** Of the batch of events. */
  readonly giveWay?: GiveWay | undefined;
}

/**
 * Finds repeated facts, entities and links, unit by unit in the order of the log. Repeated facts are removed from the
 * working set. The result does not depend on how the log is cut into batches.
 */
export async function derive(set: WorkingSet, deps: DeriveDeps): Promise<Derived> {
  const state: State = {
    set,
    entities: new EntityBook(),
    links: [],
    repetitions: new Map(),
    written: new Map(),
    timeLines: new Map(),
    linkCosine: deps.linkCosine,
  };
  const all = [...set.newUnits.values()].map(({ unit, vector }) => ({ unit, vector: vectorOf(vector) }));
  for (const [index, units] of chunks(all, unitsAtOnce).entries()) {
    if (index > 0) await writeBefore(state, deps);
    const removals = await removalsOf(deps, units);
    const stored = await readSurroundings({ ...deps, removals, ...lookups(state) }, units);
    state.entities.add(stored.entities);
    const accepted: EmbeddedUnit[] = [];
    const slice = createTimeSlice();
    for (const each of units) {
      place(state, stored, accepted, each);
      if (slice.isOver()) await slice.next();
    }
  }
  return state;
}

/** The pending removals of the agents of some units. */
export async function removalsOf(
  { removals, begun }: DeriveDeps,
  units: readonly EmbeddedUnit[],
): Promise<StoredRemoval[]> {
  const agentKeys = new Set(units.map(({ unit }) => unit.agentKey));
  const stored = await Promise.all([...agentKeys].map((agentKey) => removals.of(agentKey)));
  return [...stored.flat(), ...begun.filter(({ agentKey }) => agentKeys.has(agentKey))];
}

interface State {
  readonly set: WorkingSet;
  readonly entities: EntityBook;
  readonly links: NewLink[];
  readonly repetitions: Map<string, number>;
  /** Units of this batch that are already in the vector index. */
  readonly written: Map<string, WrittenUnit>;
  /** Units of this batch by agent. */
  readonly timeLines: Map<string, TimeLine>;
  readonly linkCosine: number;
}

function lookups({ set, written }: State) {
  return {
    unitCount: (agentKey: string) => unitCountIn(set, agentKey),
    unwritten: (id: string) => written.get(id),
    unplaced: unplacedOf(set),
  };
}

/** Units that an earlier attempt at this batch may have left in the vector index, unless there are too many to exclude. */
function unplacedOf({ newUnits }: WorkingSet): readonly string[] {
  if (newUnits.size > maxExcluded) return [];
  return [...newUnits.values()].filter(({ unit }) => unit.ordinal === 0).map(({ unit }) => unit._id);
}

/** Writes the units of the chunks before this one. */
async function writeBefore({ set, written }: State, { writeVectors }: DeriveDeps): Promise<void> {
  const next = [...set.newUnits.values()].filter(({ unit }) => unit.ordinal > 0 && !written.has(unit._id));
  await writeVectors(next);
  for (const { unit, vector } of next) written.set(unit._id, writtenUnit({ unit, vector: vectorOf(vector) }));
}

function place(state: State, stored: StoredSurroundings, accepted: EmbeddedUnit[], each: EmbeddedUnit): void {
  const { unit, vector } = each;
  const { set, entities, links, linkCosine } = state;
  const similar = similarUnits(each, { set, linkCosine, stored: stored.similar.get(unit._id), chunk: accepted });
  const repeated = repeatedUnit(unit, similar);
  if (repeated) {
    repeat(state, unit, repeated._id);
    return;
  }
  const numbered = numberUnit(set, unit);
  const timeLine = timeLineOf(state, unit.agentKey);
  const nearby = [...(stored.nearby.get(unit._id) ?? []), ...timeLine.around(unit.eventDate, nearestCandidates)];
  const exists = (id: string) => (set.newUnits.get(id)?.unit.ordinal ?? 0) > 0 || stored.neighbours.has(id);
  const around = { similar, linkCosine, nearby, entities: entities.mention(numbered), exists };
  links.push(...deriveLinks(numbered, around));
  timeLine.add(numbered);
  accepted.push({ unit: numbered, vector });
}

function timeLineOf({ timeLines }: State, agentKey: string): TimeLine {
  const timeLine = timeLines.get(agentKey) ?? new TimeLine();
  timeLines.set(agentKey, timeLine);
  return timeLine;
}

/** The fact becomes no unit; the mentions of the unit that it repeats are increased. */
function repeat({ set, repetitions }: State, { _id, operationId, passage, fact }: Unit, repeatedId: string): void {
  const text = set.newUnits.get(_id)?.unit.passage.text ?? null;
  set.newUnits.delete(_id);
  if (text !== null) passOn(set, { operationId, passage: { ...passage, text }, fact });
  uncountRepeated(set, operationId);
  const fresh = set.newUnits.get(repeatedId);
  if (!fresh) repetitions.set(repeatedId, (repetitions.get(repeatedId) ?? 0) + 1);
  else set.newUnits.set(repeatedId, { ...fresh, unit: { ...fresh.unit, mentions: fresh.unit.mentions + 1 } });
}

/** The next unit of the passage keeps its text. */
function passOn(
  { newUnits }: WorkingSet,
  { operationId, passage, fact }: Pick<Unit, 'operationId' | 'passage' | 'fact'>,
) {
  for (let next = fact + 1; next <= passage.last; next += 1) {
    const heir = newUnits.get(unitId(operationId, next));
    if (!heir) continue;
    newUnits.set(heir.unit._id, { ...heir, unit: { ...heir.unit, passage } });
    return;
  }
}

/** Assigns the next ordinal of the agent, whose row exists since the submission of the batch. */
function numberUnit({ agents, newUnits }: WorkingSet, unit: Unit): Unit {
  const agent = agents.get(unit.agentKey);
  const fresh = newUnits.get(unit._id);
  if (!agent || !fresh) throw new Error('The agent of a unit is missing from the read model');
  const ordinal = agent.unitCount + 1;
  agents.set(agent._id, { ...agent, unitCount: ordinal });
  const numbered = { ...fresh.unit, ordinal };
  newUnits.set(unit._id, { ...fresh, unit: numbered });
  return numbered;
}
