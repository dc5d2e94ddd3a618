import type { FactType } from '@mneme/client';
import { dayIn, type Field, only, textIn } from '../../app/address-fields.ts';

export const factTypes = ['world', 'agent', 'opinion'] as const satisfies readonly FactType[];
export const linkKinds = ['temporal', 'semantic', 'entity'] as const;
export type LinkKind = (typeof linkKinds)[number];

/** What is left out of the picture and the table. */
export interface GraphFilters {
  /** All unless given. */
  readonly types?: readonly FactType[];
  /** All unless given. */
  readonly kinds?: readonly LinkKind[];
  readonly entity?: string;
  /** ISO 8601 */
  readonly since?: string;
  /** ISO 8601; memories of that moment are shown. */
  readonly until?: string;
}

/** What the address says: it is found again by Back, a reload and a link. */
export interface GraphSearch extends GraphFilters {
  readonly agent?: string;
  /** The memory whose panel is open. */
  readonly unit?: string;
  /** The days, in the reader's zone, of which memories are loaded, where there are more than can be shown. */
  readonly from?: string;
  readonly to?: string;
  readonly view?: 'table';
}

/** Whatever somebody wrote into the address; what is not valid is left out. */
export function graphSearchOf(given: Record<string, unknown>): GraphSearch {
  return {
    ...textIn('agent', given),
    ...textIn('unit', given),
    ...textIn('entity', given),
    ...dateIn('since', given),
    ...dateIn('until', given),
    ...dayIn('from', given),
    ...dayIn('to', given),
    ...listIn('types', given, factTypes),
    ...listIn('kinds', given, linkKinds),
    ...(given.view === 'table' && { view: 'table' as const }),
  };
}

function dateIn<K extends string>(name: K, given: Record<string, unknown>): Field<K, string> {
  const found = textIn(name, given);
  return Number.isNaN(Date.parse(found[name] ?? '')) ? {} : found;
}

function listIn<K extends string, T extends string>(
  name: K,
  given: Record<string, unknown>,
  allowed: readonly T[],
): Field<K, readonly T[]> {
  const value = given[name];
  const chosen = Array.isArray(value) ? allowed.filter((each) => value.includes(each)) : allowed;
  return chosen.length < allowed.length ? only(name, chosen) : {};
}
