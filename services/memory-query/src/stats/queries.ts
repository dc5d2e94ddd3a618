import { type AgentRef, agentKey, type Stats } from '@mneme/contracts';
import type { Collection, Filter } from 'mongodb';
import type { ReadableRows } from '../read-model/reads.ts';
import { erasedAgents, notRemoved } from '../read-model/removals.ts';
import type { StoredUnit } from '../read-model/rows.ts';
import { countRemovedLinks, presentLinks } from './link-counts.ts';

/** How much an agent remembers; zeros for an agent that does not exist. */
export async function agentStats(readable: ReadableRows, agent: AgentRef): Promise<Stats> {
  const { collections, removals } = readable;
  const key = agentKey(agent);
  if (erasedAgents(removals).includes(key)) return statsOf(agent, {}, {}, 0, {});
  // First, so that a batch that is completed meanwhile is counted as pending or by its units, and not missed by both.
  const byStatus = await countsBy(collections.operations as unknown as Collection, { agentKey: key }, 'status');
  const [byType, documents, linkCounts, removed] = await Promise.all([
    countsBy(collections.units as unknown as Collection, { agentKey: key, ...notRemoved(removals) }, 'factType'),
    collections.documents.countDocuments({ agentKey: key, isDeleted: false }),
    collections.linkCounts.findOne({ _id: key }),
    countRemovedLinks(collections, removals),
  ]);
  return statsOf(agent, byType, byStatus, documents, presentLinks(linkCounts, removed));
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

async function countsBy(collection: Collection, filter: Filter<StoredUnit>, field: string): Promise<Counts> {
  const groups = await collection
    .aggregate<{ _id: string; count: number }>([
      { $match: filter },
      { $group: { _id: `$${field}`, count: { $sum: 1 } } },
    ])
    .toArray();
  return Object.fromEntries(groups.map(({ _id, count }) => [_id, count]));
}
