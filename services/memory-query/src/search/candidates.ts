import { unitId } from '../units/unit-id.ts';
import type { Hit, UnitPlace } from '../vectors/vector-index.ts';
import { entryShare } from './search-settings.ts';

/** A unit that a search looks at, and where it came in. */
export interface Visit extends UnitPlace {
  /** `entry`: found by a method itself; `neighbour`: stands beside one that was; `link`: is linked to one that was. */
  readonly by: 'entry' | 'neighbour' | 'link';
}

const distances = [1, -1, 2, -2] as const;

/**
 * The units to look at, at most `budget`: the best entry points, then the neighbours of each in its document, best
 * entry first. Neighbours are named by where they stand; some do not exist.
 * @param hasNeighbours false leaves the neighbours out
 */
export function planVisits(entries: readonly Hit[], budget: number, hasNeighbours = true): readonly Visit[] {
  const visits = new Map<string, Visit>();
  const add = (visit: Visit) => {
    if (visits.size < budget && !visits.has(visit.id)) visits.set(visit.id, visit);
  };
  for (const entry of entries.slice(0, Math.ceil(budget * entryShare))) add({ ...entry, by: 'entry' });
  for (const entry of entries) {
    add({ ...entry, by: 'entry' });
    if (hasNeighbours && entry.isInDocument) for (const neighbour of neighboursOf(entry)) add(neighbour);
  }
  return [...visits.values()];
}

function neighboursOf({ operationId, fact }: Hit): Visit[] {
  return distances
    .map((distance) => fact + distance)
    .filter((place) => place >= 0)
    .map((place) => {
      return { id: unitId(operationId, place), operationId, fact: place, isInDocument: true, by: 'neighbour' as const };
    });
}
