import { type AgentRef, agentKey, type Stats } from '@mneme/contracts';
import type { Collection } from 'mongodb';
import type { MemoryCollections } from '../read-model/collections.ts';

/** How much an agent remembers; zeros for one that nobody knows. */
export async function agentStats(collections: MemoryCollections, agent: AgentRef): Promise<Stats> {
  const key = agentKey(agent);
  const [byType, byStatus, documents] = await Promise.all([
    countsBy(collections.units as unknown as Collection, key, 'factType'),
    countsBy(collections.operations as unknown as Collection, key, 'status'),
    collections.documents.countDocuments({ agentKey: key, isDeleted: false }),
  ]);
  return {
    agent_id: agent.agentId,
    total_nodes: Object.values(byType).reduce((sum, count) => sum + count, 0),
    total_links: 0,
    total_documents: documents,
    nodes_by_type: byType,
    links_by_type: {},
    pending_operations: (byStatus.pending ?? 0) + (byStatus.processing ?? 0),
    failed_operations: byStatus.failed ?? 0,
  };
}

async function countsBy(collection: Collection, key: string, field: string): Promise<Record<string, number>> {
  const groups = await collection
    .aggregate<{ _id: string; count: number }>([
      { $match: { agentKey: key } },
      { $group: { _id: `$${field}`, count: { $sum: 1 } } },
    ])
    .toArray();
  return Object.fromEntries(groups.map(({ _id, count }) => [_id, count]));
}
