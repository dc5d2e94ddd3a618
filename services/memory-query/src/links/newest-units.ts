import { partitionOf } from '@mneme/contracts';
import { LRUCache } from 'lru-cache';
import type { WorkingSet } from '../read-model/working-set.ts';
import type { OtherUnit } from './derive-links.ts';
import { nearestCandidates } from './link-settings.ts';

/** Of how many agents the newest units are remembered. */
const maxAgents = 500;

/**
 * The newest units of agents by their dates, newest first, as far as links need them. The units around one that is at least
 * as new need not be read then. Like `RecentRows` it is correct as long as this instance alone writes the lanes of the agents.
 */
export class NewestUnits {
  readonly #ofAgents = new LRUCache<string, readonly OtherUnit[]>({ max: maxAgents });
  /** How often each lane was forgotten. */
  readonly #timesForgotten = new Map<number, number>();

  /**
   * The `nearestCandidates` newest units of an agent, fewer if it has fewer. A read of a batch that failed may end when the next
   * attempt has written more already, so nothing is kept that was read before the lane was forgotten.
   * @param read finds them where they are not remembered
   */
  async of(agentKey: string, read: () => Promise<readonly OtherUnit[]>): Promise<readonly OtherUnit[]> {
    const known = this.#ofAgents.get(agentKey);
    if (known) return known;
    const lane = partitionOf(agentKey);
    const before = this.#timesForgotten.get(lane);
    const units = await read();
    if (this.#timesForgotten.get(lane) === before) this.#ofAgents.set(agentKey, units);
    return units;
  }

  /**
   * Adds the units that were just committed. When units are removed everything is dropped, since some may be among these.
   * @param begun the removals that begin with them
   */
  remember({ newUnits, goneUnits }: Pick<WorkingSet, 'newUnits' | 'goneUnits'>, begun: readonly unknown[]): void {
    if (goneUnits.size > 0 || begun.length > 0) this.#ofAgents.clear();
    const added = Map.groupBy(newUnits.values(), ({ unit }) => unit.agentKey);
    for (const [agentKey, units] of added) {
      const known = this.#ofAgents.get(agentKey);
      if (known) this.#ofAgents.set(agentKey, newestOf([...known, ...units.map(({ unit }) => unit)]));
    }
  }

  /** Forgets all agents in a lane. */
  forgetLane(lane: number): void {
    this.#timesForgotten.set(lane, (this.#timesForgotten.get(lane) ?? 0) + 1);
    for (const key of [...this.#ofAgents.keys()]) if (partitionOf(key) === lane) this.#ofAgents.delete(key);
  }
}

function newestOf(units: readonly OtherUnit[]): OtherUnit[] {
  const newest = units.toSorted(
    (left, right) => right.eventDate.getTime() - left.eventDate.getTime() || right.ordinal - left.ordinal,
  );
  // Without the rest of a unit, so that its text is not kept in memory.
  return newest.slice(0, nearestCandidates).map(({ _id, ordinal, eventDate }) => ({ _id, ordinal, eventDate }));
}
