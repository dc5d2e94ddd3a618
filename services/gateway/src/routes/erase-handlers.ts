import { agentKey, memoryIngest, type memoryRoutes, WireError } from '@mneme/contracts';
import type { Handlers } from '../http/endpoints.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { MemoryCalls } from './memory-requests.ts';

type EraseRoutes = Pick<typeof memoryRoutes, 'eraseAgent'>;

export interface EraseDeps {
  readonly calls: MemoryCalls;
  readonly idempotency: Pick<Idempotency, 'eraseAgent'>;
  /** How long an erasure is waited for, in milliseconds; it goes on after that. */
  readonly timeoutMs: number;
}

/** Erasing is answered when it is done: in the event log, in the read models, and among the answers that are kept. */
export function eraseHandlers({ calls, idempotency, timeoutMs }: EraseDeps): Handlers<EraseRoutes> {
  return {
    eraseAgent: async ({ path }, scope) => {
      const agent = { space: scope.caller.space, agentId: path.agent_id };
      const deadline = Date.now() + timeoutMs;
      const { position, wasThere, ...counts } = await calls.call(memoryIngest.eraseAgent, agent, scope, timeoutMs);
      // Also after an earlier erasure, which may have ended before it came to these.
      await calls.untilErased(agent, position, scope, Math.max(1, deadline - Date.now()));
      await idempotency.eraseAgent(agentKey(agent));
      if (!wasThere) throw new WireError({ status: 404, code: 'NOT_FOUND', message: 'Agent not found' });
      return { body: describe(agent.agentId, counts), position };
    },
  };
}

interface Counts {
  readonly units: number;
  readonly links: number;
  readonly documents: number;
  readonly operations: number;
  readonly events: number;
}

function describe(agentId: string, { units, links, documents, operations, events }: Counts) {
  return {
    success: true,
    agent_id: agentId,
    message: `Agent and its ${units} memory units erased`,
    memory_units_deleted: units,
    links_deleted: links,
    documents_deleted: documents,
    operations_deleted: operations,
    events_erased: events,
  };
}
