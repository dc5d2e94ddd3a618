import type { Graph } from '@mneme/client';
import { factTypes, type GraphFilters, type LinkKind, linkKinds } from './graph-search.ts';

export type Node = Graph['nodes'][number];
type Edge = Graph['edges'][number];

/** What of a graph is shown. */
export interface ShownGraph {
  readonly nodes: readonly Node[];
  readonly nodeIds: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
  /** The links of these kinds between these nodes. */
  readonly edgeCount: number;
}

export function filterGraph({ nodes, edges }: Graph, filters: GraphFilters): ShownGraph {
  const { types = factTypes, kinds: chosen = linkKinds, entity, since, until } = filters;
  const from = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since);
  const to = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until);
  const shown = nodes.filter((node) => {
    const time = Date.parse(node.date);
    if (time < from || time > to || !types.includes(node.type)) return false;
    return entity === undefined || entityNames(node).includes(entity);
  });
  const nodeIds = new Set(shown.map(({ id }) => id));
  const kinds = new Set<string>(chosen);
  const edgeCount = edges.filter((edge) => isShown(edge, { nodeIds, kinds })).length;
  return { nodes: shown, nodeIds, kinds, edgeCount };
}

function isShown({ from, to, type }: Edge, { nodeIds, kinds }: Pick<ShownGraph, 'nodeIds' | 'kinds'>): boolean {
  return kinds.has(type) && nodeIds.has(from) && nodeIds.has(to);
}

const entityEnd = / \((?:[A-Z_]+)\)(?:, |$)/;

/** Names in a list such as `Ana (PERSON), Porto (PLACE)`; a name may have commas and parentheses itself. */
function entityNames({ entities }: Pick<Node, 'entities'>): string[] {
  return entities.split(entityEnd).filter((name) => name !== '');
}

/** The entities of a graph with the number of memories that mention them, the most frequent first. */
export function entitiesOf({ nodes }: Graph): { readonly name: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  for (const node of nodes) {
    for (const name of entityNames(node)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((left, right) => right.count - left.count || left.name.localeCompare(right.name));
}

/** How many there are of each. */
export function countBy<T, K extends string>(items: readonly T[], kind: (item: T) => K): ReadonlyMap<K, number> {
  const counts = new Map<K, number>();
  for (const item of items) counts.set(kind(item), (counts.get(kind(item)) ?? 0) + 1);
  return counts;
}

export function isLinkKind(kind: string): kind is LinkKind {
  return (linkKinds as readonly string[]).includes(kind);
}
