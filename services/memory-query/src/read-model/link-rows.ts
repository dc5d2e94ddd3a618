import type { Document } from 'mongodb';
import type { Link, StoredLinks } from './rows.ts';

/** Names a link, and orders links of the same weight. */
export function linkId({ type, from, to }: Pick<Link, 'type' | 'from' | 'to'>): string {
  return `${type}:${from}:${to}`;
}

/** The links of some rows. */
export function linksOf(rows: readonly Pick<StoredLinks, '_id' | 'links'>[]): Link[] {
  return rows.flatMap(({ _id: to, links }) => links.map((link) => ({ ...link, to })));
}

/** The rows of some links. */
export function linkRows(agentKey: string, links: readonly Link[]): StoredLinks[] {
  const byNewer = Map.groupBy(links, ({ to }) => to);
  return [...byNewer].map(([_id, each]) => ({ _id, agentKey, links: each.map(({ to: _, ...link }) => link) }));
}

/** Stages of an aggregation: a document for each link of the rows, with the fields of `Link`. */
export const eachLink: readonly Document[] = [
  { $unwind: '$links' },
  { $replaceWith: { $mergeObjects: ['$links', { to: '$_id' }] } },
];
