import type { Entity } from '@mneme/contracts';
import type { Document } from 'mongodb';
import type { StoredEntity, Unit } from '../read-model/rows.ts';
import { entityName } from './entity-name.ts';
import { resolveEntity } from './resolve-entity.ts';

/** How many of the newest units of an entity are kept. */
const maxRecentUnits = 8;

/** An entity that a unit mentions, as it was before this unit. */
export interface SharedEntity {
  readonly name: string;
  readonly mentions: number;
  /** The newest last. */
  readonly recentUnits: readonly string[];
}

/**
 * An entity without units that are gone: what was deleted must change neither whom a name denotes nor the weight of links. Only
 * its newest units are known, so that of more mentions some are counted further, and it is not forgotten.
 *
 * @returns undefined for an entity of which no mention is left
 */
export function withoutUnits(entity: StoredEntity, isGone: (unitId: string) => boolean): StoredEntity | undefined {
  const recentUnits = entity.recentUnits.filter((id) => !isGone(id));
  const mentions = entity.mentions - (entity.recentUnits.length - recentUnits.length);
  if (mentions === 0) return undefined;
  return mentions === entity.mentions ? entity : { ...entity, recentUnits, mentions };
}

/** The same for stored entities: which are deleted, and then how the others are changed. */
export function entitiesWithout(unitIds: Iterable<string>) {
  const ids = [...unitIds];
  const isLeft = { $filter: { input: '$recentUnits', cond: { $not: { $in: ['$$this', ids] } } } };
  const gone = { $subtract: [{ $size: '$recentUnits' }, { $size: isLeft }] };
  const change: Document[] = [{ $set: { mentions: { $subtract: ['$mentions', gone] }, recentUnits: isLeft } }];
  const hasNoOther = { $expr: { $eq: ['$mentions', { $size: '$recentUnits' }] } };
  return {
    forgotten: { recentUnits: { $in: ids, $not: { $elemMatch: { $nin: ids } } }, ...hasNoOther },
    affected: { recentUnits: { $in: ids } },
    change,
  };
}

/** The keys by which the stored entities that a mention may refer to are found. */
export function lookupKeys(mention: Entity): { alias: string; parts: string[] } {
  const { key, tokens } = entityName(mention.name);
  return { alias: key, parts: mention.type === 'PERSON' ? endsOf(tokens) : [] };
}

/** Entities of an agent in the order in which they were added, and the place of each. */
interface KnownEntities {
  readonly all: StoredEntity[];
  readonly places: Map<string, number>;
}

/**
 * The entities of the agents that a batch of events affects, as far as its facts mention them. They may be tens of thousands:
 * those of everybody who has the first or the last name of one of the people that are mentioned.
 */
export class EntityBook {
  readonly #byAgent = new Map<string, KnownEntities>();
  readonly #changed = new Map<string, StoredEntity>();

  /** Adds stored entities; those that are already in the book stay as they are. */
  add(stored: readonly StoredEntity[]): void {
    for (const entity of stored) {
      if (!this.#of(entity.agentKey).places.has(entity._id)) this.#put(entity);
    }
  }

  /**
   * Records that a unit mentions entities.
   * @returns each mentioned entity once, as it was before this unit
   */
  mention(unit: Pick<Unit, '_id' | 'space' | 'agentKey' | 'entities'>): SharedEntity[] {
    const met = new Map<string, SharedEntity>();
    for (const mention of unit.entities) {
      const { key } = entityName(mention.name);
      if (key === '') continue;
      const known = resolveEntity(mention, this.#of(unit.agentKey).all);
      const before = known ?? newEntity(unit, mention, key);
      if (met.has(before._id)) continue;
      met.set(before._id, before);
      const after = mentionedBy(before, mention, unit._id);
      this.#put(after);
      this.#changed.set(after._id, after);
    }
    return [...met.values()];
  }

  /** The entities to write. */
  get changed(): ReadonlyMap<string, StoredEntity> {
    return this.#changed;
  }

  #of(agentKey: string): KnownEntities {
    const known = this.#byAgent.get(agentKey) ?? { all: [], places: new Map() };
    this.#byAgent.set(agentKey, known);
    return known;
  }

  #put(entity: StoredEntity): void {
    const { all, places } = this.#of(entity.agentKey);
    const place = places.get(entity._id) ?? all.length;
    all[place] = entity;
    places.set(entity._id, place);
  }
}

function newEntity(
  { space, agentKey }: Pick<Unit, 'space' | 'agentKey'>,
  { name, type }: Entity,
  key: string,
): StoredEntity {
  const parts = lookupKeys({ name, type }).parts;
  return {
    _id: `${agentKey}:${key}`,
    space,
    agentKey,
    name,
    type,
    aliases: [key],
    parts,
    mentions: 0,
    recentUnits: [],
  };
}

/** The longest name is kept, and the first type other than `OTHER`. */
function mentionedBy(entity: StoredEntity, mention: Entity, unitId: string): StoredEntity {
  const { alias, parts } = lookupKeys(mention);
  const isFuller = entityName(mention.name).tokens.length > entityName(entity.name).tokens.length;
  return {
    ...entity,
    name: isFuller ? mention.name : entity.name,
    type: entity.type === 'OTHER' ? mention.type : entity.type,
    aliases: [...new Set([...entity.aliases, alias])],
    parts: [...new Set([...entity.parts, ...parts])],
    mentions: entity.mentions + 1,
    recentUnits: [...entity.recentUnits, unitId].slice(-maxRecentUnits),
  };
}

function endsOf(tokens: readonly string[]): string[] {
  return [...new Set([tokens[0], tokens.at(-1)])].filter((token) => token !== undefined);
}
