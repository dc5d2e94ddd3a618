import { type AgentRef, agentKey, type FactType, type Stats } from '@mneme/contracts';
import { countBy, timedRead } from '../read-model/mongo-queries.ts';
import type { ReadableRows } from '../read-model/reads.ts';
import { erasedAgents, removedUnits } from '../read-model/removals.ts';
import { type StoredUnit, unitIndexes } from '../read-model/rows.ts';
import { inSnapshot } from '../read-model/snapshot.ts';
import { countLinks } from './link-counts.ts';

/** How many rows the driver decodes at a time, which blocks the event loop. */
const rowsAtOnce = 1_000;

/**
 * How much an agent remembers; zeros for an agent that does not exist. All of it is counted at one moment: until a removal ends,
 * what it still has to remove is stored, and each of its steps changes several counts.
 * @throws WireError 504 when it takes too long
 */
export async function agentStats(readable: ReadableRows, agent: AgentRef): Promise<Stats> {
  const key = agentKey(agent);
  const inTime = timedRead(
    undefined,
    'Counting takes too long while a large document is being removed: try again later',
  );
  return inSnapshot(readable, { space: agent.space, agentKey: key }, async (snapshot) => {
    const { collections, removals, session } = snapshot;
    if (erasedAgents(removals).includes(key)) return statsOf(agent, {}, {}, 0, {});
    const { operations, units, documents } = collections;
    const byStatus = await inTime((time) => countBy(operations, { agentKey: key }, 'status', { session, ...time }));
    const inIndex = { hint: unitIndexes.ofAgentByType, session };
    const byType = await inTime((time) => countBy(units, { agentKey: key }, 'factType', { ...inIndex, ...time }));
    const ofAgent = { agentKey: key, isDeleted: false };
    const count = await inTime((time) => documents.countDocuments(ofAgent, { session, ...time }));
    const options = {
      projection: { factType: 1 },
      hint: unitIndexes.ofDocument,
      batchSize: rowsAtOnce,
      session,
    } as const;
    const removed: Pick<StoredUnit, '_id' | 'factType'>[] = [];
    await inTime(async (time) => {
      for await (const unit of units.find(removedUnits(removals), { ...options, ...time })) removed.push(unit);
    });
    const links = await countLinks(snapshot, key, new Set(removed.map(({ _id }) => _id)), inTime);
    return statsOf(agent, without(byType, removed), Object.fromEntries(byStatus), count, links);
  });
}

/** Types of which nothing is left are left out. */
function without(byType: ReadonlyMap<FactType, number>, removed: readonly { readonly factType: FactType }[]): Counts {
  const gone = Map.groupBy(removed, ({ factType }) => factType);
  const present = [...byType].map(([type, count]) => [type, count - (gone.get(type)?.length ?? 0)] as const);
  return Object.fromEntries(present.filter(([, count]) => count > 0));
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
