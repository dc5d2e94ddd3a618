import { chunks } from '@mneme/workers/chunks';
import { createTimeSlice } from '@mneme/workers/time-slices';
import { EntityBook } from '../entities/entity-book.ts';
import { type NewLink, semanticLinks } from '../links/derive-links.ts';
import { type Comparable, repeatedUnit, vectorOf } from '../links/similarity.ts';
import { type EmbeddedUnit, readSimilar } from '../links/surroundings.ts';
import { isRemoved } from '../read-model/removals.ts';
import { unitId } from '../read-model/row-ids.ts';
import type { Unit } from '../read-model/rows.ts';
import type { UnitWithVector, WorkingSet } from '../read-model/working-set.ts';
import { type DeriveDeps, type Derived, maxExcluded, removalsOf } from './derive.ts';
import { similarUnits, uncountRepeated, unitCountIn, type WrittenUnit, writtenUnit } from './similar-units.ts';

/** How many units are compared together, each with up to a dozen others, whose rows are read. */
const lateAtOnce = 50;

interface LateState {
  readonly set: WorkingSet;
  readonly links: NewLink[];
  readonly repetitions: Map<string, number>;
  /** Removed units that had the text of their passage. */
  readonly bearers: Unit[];
  readonly linkCosine: number;
  /** Units of these events that have got their vectors, by id. */
  readonly accepted: Map<string, WrittenUnit>;
}

/**
 * Finds what follows from the vectors of units that were stored without them: links of similar units, and repeated facts,
 * which are removed again. Each pair of units is compared when the second of the two gets its vector, so the result does not
 * depend on how the log is cut into batches.
 */
export async function deriveLate(set: WorkingSet, deps: DeriveDeps): Promise<Derived> {
  const { linkCosine } = deps;
  const state: LateState = { set, links: [], repetitions: new Map(), bearers: [], linkCosine, accepted: new Map() };
  const units = await waitingUnits(set, deps);
  for (const [index, some] of chunks(units, lateAtOnce).entries()) {
    if (index > 0) await deps.writeVectors(acceptedPoints(state));
    await deps.giveWay?.();
    const stored = await readStored(state, deps, units, some);
    const here: EmbeddedUnit[] = [];
    const slice = createTimeSlice();
    for (const each of some) {
      placeLate(state, stored.get(each.unit._id), here, each);
      if (slice.isOver()) await slice.next();
    }
  }
  for (const bearer of state.bearers) await passOnLate(set, deps, bearer);
  return { links: state.links, entities: new EntityBook(), repetitions: state.repetitions };
}

/** The units that still exist. */
async function waitingUnits(set: WorkingSet, deps: DeriveDeps): Promise<EmbeddedUnit[]> {
  const units: EmbeddedUnit[] = [];
  const waiting = [...set.lateVectors].flatMap(([, { unit, vector }]) =>
    unit ? [{ unit, vector: vectorOf(vector) }] : [],
  );
  const removals = await removalsOf(deps, waiting);
  for (const each of waiting) {
    if (isRemoved(each.unit, removals)) forget(set, each.unit);
    else units.push(each);
  }
  return units;
}

function forget({ lateVectors }: WorkingSet, { _id }: Unit): void {
  const late = lateVectors.get(_id);
  if (late) lateVectors.set(_id, { ...late, unit: undefined });
}

async function readStored(
  { set, accepted }: LateState,
  deps: DeriveDeps,
  all: readonly EmbeddedUnit[],
  units: readonly EmbeddedUnit[],
): Promise<ReadonlyMap<string, readonly Comparable[]>> {
  // An earlier attempt may have left vectors of these events in the index.
  const unplaced = all.map(({ unit }) => unit._id).filter((id) => !accepted.has(id));
  return readSimilar(
    {
      ...deps,
      removals: await removalsOf(deps, units),
      unitCount: (agentKey) => unitCountIn(set, agentKey),
      unplaced: unplaced.slice(0, maxExcluded),
      unwritten: (id) => accepted.get(id),
    },
    units,
  );
}

function placeLate(
  state: LateState,
  stored: readonly Comparable[] | undefined,
  here: EmbeddedUnit[],
  each: EmbeddedUnit,
): void {
  const { set, links, accepted, linkCosine } = state;
  const { unit } = each;
  const similar = similarUnits(each, { set, linkCosine, stored, chunk: here });
  const repeated = repeatedUnit(unit, similar);
  if (repeated) {
    repeatLate(state, unit, repeated._id);
    return;
  }
  const byId = new Map(similar.map((other) => [other._id, other]));
  for (const link of semanticLinks(unit, { similar, linkCosine }))
    links.push(oldestFirst(link, unit, byId.get(link.from)));
  accepted.set(unit._id, writtenUnit(each));
  here.push(each);
}

/** A unit that was stored later may have got its vector earlier. */
function oldestFirst(link: NewLink, unit: Unit, other: Comparable | undefined): NewLink {
  if (!other || other.ordinal < unit.ordinal) return link;
  return { ...link, from: link.to, to: link.from };
}

/** The unit is removed; the mentions of the unit that it repeats are increased. */
function repeatLate({ set, repetitions, bearers }: LateState, unit: Unit, repeatedId: string): void {
  forget(set, unit);
  if (unit.passage.text !== null) bearers.push(unit);
  set.goneUnits.add(unit._id);
  uncountRepeated(set, unit.operationId);
  repetitions.set(repeatedId, (repetitions.get(repeatedId) ?? 0) + unit.mentions);
}

/** The next unit of the passage that is left keeps its text. */
async function passOnLate(
  set: WorkingSet,
  { collections }: DeriveDeps,
  { operationId, passage, fact }: Unit,
): Promise<void> {
  const following = Array.from({ length: passage.last - fact }, (_, index) => unitId(operationId, fact + 1 + index));
  const left = following.filter((id) => !set.goneUnits.has(id));
  const row = await collections.units.findOne({ _id: { $in: left } }, { sort: { fact: 1 } });
  if (!row) return;
  const { vector: stored, ...unit } = row;
  const late = set.lateVectors.get(row._id);
  const vector = late?.unit ? late.vector : stored.toString('base64');
  const heir: UnitWithVector = { unit: { ...unit, passage }, vector };
  set.unitsWithNewPassage.set(row._id, heir);
  // It is written with its new vector as well.
  if (late?.unit) set.lateVectors.set(row._id, heir);
}

function acceptedPoints({ set, accepted }: LateState) {
  return lateUnits(set).filter(({ unit }) => accepted.has(unit._id));
}

/** The units with the vectors that they have got. */
export function lateUnits({ lateVectors }: WorkingSet): UnitWithVector[] {
  return [...lateVectors.values()].flatMap(({ unit, vector }) => (unit ? [{ unit, vector }] : []));
}
