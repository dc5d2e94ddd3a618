import type { ListNamespacesOperation, MatchCondition } from '@langchain/langgraph';
import type { Agent } from '../agent.ts';
import { pathOf, refOf } from './item-document.ts';
import { idsBelow } from './search.ts';

type Namespace = readonly string[];

/** The namespaces that have items, each once and in order, cut at a depth if one is given. */
export async function listNamespaces(
  agent: Agent,
  { matchConditions = [], maxDepth, limit, offset = 0 }: ListNamespacesOperation,
): Promise<string[][]> {
  const found = new Map<string, string[]>();
  for await (const id of idsBelow(agent, literalPrefix(matchConditions))) {
    const namespace = refOf(id)?.namespace;
    if (!namespace || !matchConditions.every((condition) => matches(namespace, condition))) continue;
    const cut = namespace.slice(0, maxDepth);
    found.set(pathOf(cut), cut);
  }
  const inOrder = [...found].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, namespace]) => namespace);
  return inOrder.slice(offset, limit === undefined ? undefined : offset + limit);
}

function matches(namespace: Namespace, { matchType, path }: MatchCondition): boolean {
  if (path.length > namespace.length) return false;
  const start = matchType === 'prefix' ? 0 : namespace.length - path.length;
  return path.every((label, index) => label === '*' || label === namespace[start + index]);
}

/** The labels that all matching namespaces begin with. */
function literalPrefix(conditions: readonly MatchCondition[]): Namespace {
  const path = conditions.find(({ matchType }) => matchType === 'prefix')?.path ?? [];
  const wildcard = path.indexOf('*');
  return wildcard === -1 ? path : path.slice(0, wildcard);
}
