import { type AgentRef, agentKey, type Stats } from '@mneme/contracts';
import type { Collection } from 'mongodb';
import { presentLinks } from '../links/link-counts.ts';
import type { MemoryCollections } from '../read-model/collections.ts';

/** How much an agent remembers; zeros for one that nobody knows. */
export async function agentStats(collections: MemoryCollections, agent: AgentRef): Promise<Stats> {
  const key = agentKey(agent);
  const [byType, byStatus, documents, linkCounts] = await Promise.all([
    countsBy(collections.units as unknown as Collection, key, 'factType'),
    countsBy(collections.operations as unknown as Collection, key, 'status'),
    collections.documents.countDocuments({ agentKey: key, isDeleted: false }),
    collections.linkCounts.findOne({ _id: key }),
  ]);
  const links = presentLinks(linkCounts);
  return {
    agent_id: agent.agentId,
    total_nodes: sum(byType),
    total_links: sum(links),
    total_documents: documents,
    nodes_by_type: byType,
    links_by_type: links,
    pending_operations: (byStatus.pending ?? 0) + (byStatus.processing ?? 0),
    failed_operations: byStatus.failed ?? 0,
  };
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
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
