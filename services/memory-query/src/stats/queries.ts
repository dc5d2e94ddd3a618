import { type AgentRef, agentKey, type Stats } from '@mneme/contracts';
import { countBy } from '../read-model/mongo-queries.ts';
import type { ReadableRows } from '../read-model/reads.ts';
import { erasedAgents, notRemoved } from '../read-model/removals.ts';
import { countLinks } from './link-counts.ts';

/** How much an agent remembers; zeros for an agent that does not exist. */
export async function agentStats(readable: ReadableRows, agent: AgentRef): Promise<Stats> {
  const { collections, removals } = readable;
  const key = agentKey(agent);
  if (erasedAgents(removals).includes(key)) return statsOf(agent, {}, {}, 0, {});
  // First, so that a batch that is completed meanwhile is counted as pending or by its units, and not missed by both.
  const byStatus = await countBy(collections.operations, { agentKey: key }, 'status');
  const [byType, documents, links] = await Promise.all([
    countBy(collections.units, { agentKey: key, ...notRemoved(removals) }, 'factType'),
    collections.documents.countDocuments({ agentKey: key, isDeleted: false }),
    countLinks(collections, removals, key),
  ]);
  return statsOf(agent, Object.fromEntries(byType), Object.fromEntries(byStatus), documents, links);
}

type Counts = Record<string, number>;

function statsOf({ agentId }: AgentRef, nodes: Counts, operations: Counts, documents: number, links: Counts): Stats {
  return {
    agent_id: agentId,
    total_nodes: sum(nodes),
    total_links: sum(links),
    total_documents: documents,
    nodes_by_type: nodes,
    links_by_type: links,
    pending_operations: (operations.pending ?? 0) + (operations.processing ?? 0),
    failed_operations: operations.failed ?? 0,
  };
}

function sum(counts: Counts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
