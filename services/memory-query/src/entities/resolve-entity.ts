import type { Entity } from '@mneme/contracts';
import { type EntityName, entityName, hasNumber } from './entity-name.ts';

/** The compared properties of a stored entity. */
export interface KnownEntity {
  readonly type: Entity['type'];
  /** The keys of all names under which it was mentioned. */
  readonly aliases: readonly string[];
}

/**
 * Finds the stored entity that a mention refers to; undefined for a new entity.
 *
 * The same name always denotes the same entity. Otherwise only people are matched, by the parts of their names, only if
 * exactly one fits, and never if a name contains a number.
 * @param known the agent's entities, at least those that share a name or a part of a name with the mention
 */
export function resolveEntity<K extends KnownEntity>(mention: Entity, known: readonly K[]): K | undefined {
  const name = entityName(mention.name);
  const same = known.find(({ aliases }) => aliases.includes(name.key));
  if (same) return same;
  if (!isPerson(mention) || hasNumber(name)) return undefined;
  const fitting = known.filter((entity) => isPerson(entity) && fits(name, fullName(entity)));
  return fitting.length === 1 ? fitting[0] : undefined;
}

function isPerson({ type }: Pick<Entity, 'type'>): boolean {
  return type === 'PERSON';
}

/** Each mention is compared with the same entities. */
const fullNames = new WeakMap<KnownEntity, EntityName>();

/** The name with the most parts. */
function fullName(entity: KnownEntity): EntityName {
  const known = fullNames.get(entity);
  if (known) return known;
  const name = longestName(entity);
  fullNames.set(entity, name);
  return name;
}

function longestName({ aliases }: KnownEntity): EntityName {
  const parts = (alias: string) => entityName(alias).tokens.length;
  return entityName(
    aliases.reduce((longest, alias) => (parts(alias) > parts(longest) ? alias : longest), aliases[0] ?? ''),
  );
}

/** Whether two names can denote the same person. */
function fits(mention: EntityName, known: EntityName): boolean {
  if (hasNumber(known)) return false;
  const [shorter, longer] = mention.tokens.length <= known.tokens.length ? [mention, known] : [known, mention];
  if (shorter.tokens.length === 1) return fitsSingle(shorter, longer);
  return isSameButMiddle(shorter.tokens, longer.tokens);
}

/** "Alice" and "Alice Chen"; "Dr. Chen" and "Alice Chen". Two single names match only when they are equal. */
function fitsSingle(single: EntityName, full: EntityName): boolean {
  if (full.tokens.length === 1) return false;
  return single.tokens[0] === (single.hasTitle ? full.tokens.at(-1) : full.tokens[0]);
}

/** "Alice Chen", "Alice M. Chen" and "Alice Marie Chen". */
function isSameButMiddle(shorter: readonly string[], longer: readonly string[]): boolean {
  if (shorter[0] !== longer[0] || shorter.at(-1) !== longer.at(-1)) return false;
  const [middle, other] = [shorter.slice(1, -1), longer.slice(1, -1)];
  return middle.every(
    (part, index) => part[0] === other[index]?.[0] && (part.length === 1 || other[index]?.length === 1),
  );
}
