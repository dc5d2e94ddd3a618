import type { OperationStatus, Stats } from '@mneme/contracts';

const time = '2024-03-01T09:30:00.000Z';

/** An operation as its service returns it. */
export function operationReply(fields: Partial<OperationStatus> = {}): OperationStatus {
  return {
    id: '0192f5c4-0000-7000-8000-000000000001',
    agent_id: 'ana',
    status: 'processing',
    items_count: 2,
    units_created: 0,
    error_message: null,
    created_at: time,
    updated_at: time,
    ...fields,
  };
}

/** The statistics of an agent that remembers nothing. */
export function statsReply(agentId: string): Stats {
  const counts = { total_nodes: 0, total_links: 0, total_documents: 0, nodes_by_type: {}, links_by_type: {} };
  return { agent_id: agentId, ...counts, pending_operations: 0, failed_operations: 0 };
}

/** What has been erased of an agent. */
export const erasedReply = {
  wasThere: true,
  units: 3,
  links: 7,
  documents: 1,
  operations: 2,
  events: 5,
  position: 'MEMORY:9',
};
