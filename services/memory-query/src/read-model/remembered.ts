import { partitionOf } from '@mneme/contracts';
import { Counts } from '@mneme/workers/counts';
import { LRUCache } from 'lru-cache';
import type { IndexedUnit } from '../vectors/vector-index.ts';
import type { Link, Unit } from './rows.ts';

/** The fields of a unit that a search reads. */
export type FoundUnit = Pick<
  Unit,
  | '_id'
  | 'text'
  | 'factType'
  | 'context'
  | 'eventDate'
  | 'documentId'
  | 'entities'
  | 'tokens'
  | 'mentions'
  | 'confidence'
  | 'role'
  | 'metadata'
>;

/** The fields of a link over which activation spreads. */
export type FoundLink = Pick<Link, 'type' | 'from' | 'to' | 'weight'>;

/** What searches have read of an agent; null for a unit that does not exist. */
export interface RememberedAgent {
  /** Whether it is certain that nothing has changed since it was read. Otherwise only `indexed` may be used. */
  readonly isExact: boolean;
  unitCount: number | undefined;
  /** How many units the agent has ever had. */
  everCount: number | undefined;
  /** How many units have a term. */
  readonly terms: Map<number, number>;
  readonly indexed: Map<string, IndexedUnit | null>;
  readonly units: Map<string, FoundUnit | null>;
  /** All links of a unit, in either direction. */
  readonly links: Map<string, readonly FoundLink[] | null>;
}

/** What a batch of events has changed about units that exist still. */
export interface ChangedUnits {
  /** Units that were added, or of which a field has changed. */
  readonly units: Iterable<string>;
  /** Units at either end of a link that was added. */
  readonly linked: Iterable<string>;
  /** Whether units or links were removed. */
  readonly hasRemovals: boolean;
}

/** About how much memory all agents together may take, in bytes; the agent that was asked least recently is forgotten first. */
const maxBytes = 48 * 1024 * 1024;
/** What an entry usually takes with its id, in bytes. */
const bytesOf = { terms: 50, indexed: 1_000, units: 1_500, links: 2_000 } as const;
const bytesPerAgent = 1_000;
/** What takes more is not remembered, in bytes. */
const mostBytes = 4_000;
/** When more agents change together, everything about them is forgotten: it is not known which unit is whose. */
const mostChanging = 16;
/** How old what is read of agents whose events another instance applies may become, in milliseconds. */
const foreignForMs = 60_000;

/**
 * What searches have read of agents, so that the next one reads only what has changed. What is remembered of an agent whose
 * events this instance applies is exact, since every change of it goes through `change`. Of other agents only how units are
 * indexed is remembered, for a minute; it changes when a unit is corrected.
 */
export class Remembered {
  readonly #agents = new LRUCache<string, RememberedAgent>({ maxSize: maxBytes });
  readonly #foreign = new LRUCache<string, RememberedAgent>({ maxSize: maxBytes / 4, ttl: foreignForMs });
  /** How many changes of an agent are being made. */
  readonly #changing = new Counts<string>();

  /**
   * What is remembered of an agent; undefined while it is changed, when nothing may be remembered.
   * @param isHere whether it is certain that no other instance applies its events
   */
  of(agentKey: string, isHere: boolean): RememberedAgent | undefined {
    if (this.#changing.of(agentKey) > 0) return undefined;
    const agents = isHere ? this.#agents : this.#foreign;
    const known = agents.get(agentKey);
    if (known) return known;
    const added = nothingOf(isHere);
    agents.set(agentKey, added, { size: bytesPerAgent });
    return added;
  }

  /** Adds what was read; nothing, if the agent was changed since `of`. */
  add(agentKey: string, agent: RememberedAgent, put: (agent: RememberedAgent) => void): void {
    const agents = agent.isExact ? this.#agents : this.#foreign;
    if (this.#changing.of(agentKey) > 0 || agents.peek(agentKey) !== agent) return;
    put(agent);
    // The cache takes no notice of the size of what it has already, so the agent is put in anew.
    const ttl = agent.isExact ? 0 : Math.max(1, agents.getRemainingTTL(agentKey));
    agents.delete(agentKey);
    agents.set(agentKey, agent, { size: sizeOf(agent), ttl });
  }

  /**
   * Makes a change of agents, and forgets what has changed; everything about their units, when it fails, removes some, or
   * concerns many agents.
   */
  async change<T extends { readonly changed: ChangedUnits }>(
    agentKeys: ReadonlySet<string>,
    make: () => Promise<T>,
  ): Promise<T> {
    for (const key of agentKeys) this.#changing.add(key, 1);
    let changed: ChangedUnits | undefined;
    try {
      const made = await make();
      if (agentKeys.size <= mostChanging) changed = made.changed;
      return made;
    } finally {
      for (const key of agentKeys) this.#endChange(key, changed);
    }
  }

  /** Forgets all agents in a lane. */
  forgetLane(lane: number): void {
    for (const key of [...this.#agents.keys()]) if (partitionOf(key) === lane) this.#agents.delete(key);
  }

  forgetAll(): void {
    this.#agents.clear();
    this.#foreign.clear();
  }

  #endChange(agentKey: string, changed: ChangedUnits | undefined): void {
    this.#changing.add(agentKey, -1);
    const known = this.#agents.peek(agentKey);
    if (!known) return;
    if (!changed || changed.hasRemovals) {
      this.#agents.delete(agentKey);
      return;
    }
    for (const id of changed.units) {
      known.units.delete(id);
      known.indexed.delete(id);
    }
    for (const id of changed.linked) known.links.delete(id);
    // A new object, so that searches which have begun before add nothing to it.
    const uncounted = { ...known, unitCount: undefined, everCount: undefined, terms: new Map() };
    this.#agents.set(agentKey, uncounted, { size: sizeOf(known) });
  }
}

function nothingOf(isExact: boolean): RememberedAgent {
  return {
    isExact,
    unitCount: undefined,
    everCount: undefined,
    terms: new Map(),
    indexed: new Map(),
    units: new Map(),
    links: new Map(),
  };
}

function sizeOf(agent: RememberedAgent): number {
  const kinds = Object.keys(bytesOf) as (keyof typeof bytesOf)[];
  return kinds.reduce((sum, kind) => sum + bytesOf[kind] * agent[kind].size, bytesPerAgent);
}

/** What is known of units; those that are known not to exist are in neither list. */
export function recall<V>(
  known: ReadonlyMap<string, V | null>,
  ids: readonly string[],
): { readonly found: V[]; readonly unknown: string[] } {
  const found: V[] = [];
  const unknown: string[] = [];
  for (const id of ids) {
    const value = known.get(id);
    if (value === undefined) unknown.push(id);
    else if (value !== null) found.push(value);
  }
  return { found, unknown };
}

/**
 * Remembers what was read of units, and that the others do not exist.
 * @param read what was found, by id
 * @param bytes about what a value takes in memory
 */
export function keep<V>(
  known: Map<string, V | null>,
  ids: readonly string[],
  read: ReadonlyMap<string, V>,
  bytes: (value: V) => number,
): void {
  for (const id of ids) {
    const value = read.get(id);
    if (value === undefined) known.set(id, null);
    else if (bytes(value) <= mostBytes) known.set(id, value);
  }
}
