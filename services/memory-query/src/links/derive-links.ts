import type { SharedEntity } from '../entities/entity-book.ts';
import { unitId } from '../read-model/row-ids.ts';
import type { Link, Unit } from '../read-model/rows.ts';
import { linkSettings } from './link-settings.ts';

/** A link that is about to be stored. */
export interface NewLink extends Link {
  readonly agentKey: string;
}

/** The part of another unit that linking needs. */
export type OtherUnit = Pick<Unit, '_id' | 'ordinal' | 'eventDate'>;

export interface SimilarUnit extends OtherUnit {
  readonly cosine: number;
}

/** The units and entities around a new unit, all older than the unit itself. */
export interface Surroundings {
  readonly similar: readonly SimilarUnit[];
  /** From this cosine on, units are linked as similar; it belongs to the embedding model. */
  readonly linkCosine: number;
  readonly nearby: readonly OtherUnit[];
  readonly entities: readonly SharedEntity[];
  /** Whether a unit exists; the ids of neighbours follow from their positions, whether they exist or not. */
  readonly exists: (id: string) => boolean;
}

const hourMs = 3_600_000;

/** The links of a new unit to older ones; at most one of each type between two units. */
export function deriveLinks(unit: Unit, around: Surroundings): NewLink[] {
  const neighbours = neighbourLinks(unit, around);
  const linked = new Set(neighbours.map(({ from }) => from));
  const temporal = temporalLinks(
    unit,
    around.nearby.filter(({ _id }) => !linked.has(_id)),
  );
  return [...neighbours, ...temporal, ...semanticLinks(unit, around), ...entityLinks(unit, around.entities)];
}

function neighbourLinks(unit: Unit, { exists }: Surroundings): NewLink[] {
  if (unit.documentId === null) return [];
  return linkSettings.neighbourWeights.flatMap((weight, index) => {
    const distance = index + 1;
    // The units after a corrected one in its document may exist already.
    const places = [unit.fact - distance, ...(unit.isKept ? [unit.fact + distance] : [])];
    const others = places.filter((place) => place >= 0).map((place) => unitId(unit.operationId, place));
    return others.filter(exists).map((from) => link('temporal', from, unit, weight));
  });
}

/** The nearest in time within 24 hours, `max(0.3, 1 − hours / 24)`. */
function temporalLinks(unit: Unit, nearby: readonly OtherUnit[]): NewLink[] {
  const { temporalHours, temporalFloor, temporalNearest } = linkSettings;
  return byDistanceInTime(unit.eventDate, nearby)
    .map((other) => ({ other, hours: Math.abs(unit.eventDate.getTime() - other.eventDate.getTime()) / hourMs }))
    .filter(({ hours }) => hours <= temporalHours)
    .slice(0, temporalNearest)
    .map(({ other, hours }) => link('temporal', other._id, unit, Math.max(temporalFloor, 1 - hours / temporalHours)));
}

/** Nearest first; at the same distance first the earlier units, newest first, then the later ones, oldest first. */
function byDistanceInTime<T extends OtherUnit>(date: Date, others: readonly T[]): T[] {
  const distance = (other: T) => Math.abs(other.eventDate.getTime() - date.getTime());
  const isLater = (other: T) => other.eventDate.getTime() > date.getTime();
  return [...others].sort((left, right) => {
    if (distance(left) !== distance(right)) return distance(left) - distance(right);
    if (isLater(left) !== isLater(right)) return isLater(left) ? 1 : -1;
    return isLater(left) ? left.ordinal - right.ordinal : right.ordinal - left.ordinal;
  });
}

/** The five most similar units; the weight is the cosine. */
export function semanticLinks(
  unit: Unit,
  { similar, linkCosine }: Pick<Surroundings, 'similar' | 'linkCosine'>,
): NewLink[] {
  const { semanticBest, semanticEquals } = linkSettings;
  const alike = mostAlike(similar).filter(({ cosine }) => cosine >= linkCosine);
  const last = alike[semanticBest - 1];
  // Of many equally similar units the store may not have found all, so which five are linked would be arbitrary.
  const equals = last ? alike.filter(({ cosine }) => round(cosine) === round(last.cosine)) : [];
  const telling = equals.length > semanticEquals ? alike.filter((each) => !equals.includes(each)) : alike;
  return telling.slice(0, semanticBest).map(({ _id, cosine }) => link('semantic', _id, unit, cosine));
}

/** Most similar first; of equally similar units the newest first. */
export function mostAlike<T extends SimilarUnit>(similar: readonly T[]): T[] {
  return [...similar].sort((left, right) => right.cosine - left.cosine || right.ordinal - left.ordinal);
}

/** Links to the newest units that mention the same entity; the weight falls with the number of its mentions. */
function entityLinks(unit: Unit, entities: readonly SharedEntity[]): NewLink[] {
  const links = new Map<string, NewLink>();
  for (const { name, mentions, recentUnits } of entities) {
    const weight = 1 / (1 + Math.log2(Math.max(1, mentions)));
    for (const from of recentUnits.slice(-linkSettings.entityNewest).reverse()) {
      const other = links.get(from);
      if (!other || other.weight < weight) links.set(from, link('entity', from, unit, weight, name));
    }
  }
  return [...links.values()].sort((left, right) => right.weight - left.weight).slice(0, linkSettings.entityLinks);
}

function link(
  type: Link['type'],
  from: string,
  { _id: to, agentKey }: Unit,
  weight: number,
  entity: string | null = null,
): NewLink {
  return { agentKey, type, from, to, weight: round(weight), entity };
}

function round(weight: number): number {
  return Math.round(weight * 1e4) / 1e4;
}
