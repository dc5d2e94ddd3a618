import type { SearchResponse } from '@mneme/client';

export type Trace = NonNullable<SearchResponse['trace']>;
export type Picture = NonNullable<Trace['picture']>;
export type Method = Picture['found_by'][number]['methods'][number];

export const methods = ['lexical', 'dense', 'passages', 'window'] as const;

/** Which methods found each result, by its id. */
export function methodsOf(trace: Trace | null): ReadonlyMap<string, readonly Method[]> {
  return new Map(trace?.picture?.found_by.map(({ id, methods: found }) => [id, found]));
}

/** Found by its own words, or by those of what it is a part of. */
export function hasWords(found: readonly Method[]): boolean {
  return found.some(({ method }) => method === 'lexical' || method === 'passages');
}

/** The place of an id in a list, from 1; undefined if it is not there. */
export function rankIn(ids: readonly string[], id: string): number | undefined {
  const index = ids.indexOf(id);
  return index < 0 ? undefined : index + 1;
}
