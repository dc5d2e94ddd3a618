import {
  type AgentRef,
  agentKey,
  type MemoryEvent,
  memoryIngest,
  memoryQuery,
  type memoryRoutes,
  memorySubjects,
  type Personality,
} from '@mneme/contracts';
import { type Eraser, type EventStore, parsePosition } from '@mneme/event-store';
import { onlyAgent } from '../auth/caller.ts';
import { notFound } from '../errors.ts';
import type { Idempotency } from '../idempotency/idempotency.ts';
import type { HttpEndpoints, RequestScope } from '../routing/http-endpoint.ts';
import { type MemoryServices, parseOperationId } from './memory-services.ts';

/** Commands go to the service that decides; the reply waits, if possible, until reads see what was done. */
export function commandEndpoints({ send, untilSeen }: MemoryServices) {
  const putAgent = async (agentId: string, changes: Changes, scope: RequestScope) => {
    const request = { space: scope.caller.space, agentId, ...changes };
    const { profile, position } = await send(memoryIngest.putAgent, request, scope);
    await untilSeen(position, scope, { agentId });
    return { body: profile, position };
  };

  return {
    cancelOperation: async ({ path, query }, scope) => {
      const operationId = parseOperationId(path.operation_id);
      const request = { operationId, ...belongingTo(query.agent_id, scope) };
      const { agentId, position } = await send(memoryIngest.cancelOperation, request, scope);
      await untilSeen(position, scope, { agentId, operationId });
      const message = `Operation ${operationId} cancelled`;
      return { body: { success: true, message, operation_id: operationId, agent_id: agentId }, position };
    },
    retryOperation: async ({ path, query }, scope) => {
      const operationId = parseOperationId(path.id);
      const ref = { operationId, ...belongingTo(query.agent_id, scope) };
      const { position } = await send(memoryIngest.retryOperation, { ...ref, commandId: scope.commandId }, scope);
      const minSequence = parsePosition(position)?.sequence;
      return { body: await send(memoryQuery.operationStatus, { ...ref, minSequence }, scope), position };
    },
    correctUnit: async ({ path, query, body }, scope) => {
      const { text, expected_text: expectedText = null } = body;
      const unit = { unitId: path.unit_id, ...belongingTo(query.agent_id, scope) };
      const correction = { ...unit, correctionId: scope.commandId, text, expectedText };
      const { agentId, position } = await send(memoryIngest.correctUnit, correction, scope);
      await untilSeen(position, scope, { agentId, unitId: path.unit_id });
      const message = position === null ? 'Memory unit has this text already' : 'Memory unit corrected';
      return { body: { success: true, unit_id: path.unit_id, agent_id: agentId, text, message }, position };
    },
    forgetUnit: async ({ path, query }, scope) => {
      const request = { unitId: path.unit_id, ...belongingTo(query.agent_id, scope) };
      const { agentId, position } = await send(memoryIngest.forgetUnit, request, scope);
      await untilSeen(position, scope, { agentId, unitId: path.unit_id });
      const message = 'Memory unit and all its links deleted successfully';
      return { body: { success: true, unit_id: path.unit_id, message }, position };
    },
    deleteDocument: async ({ path, query }, scope) => {
      const request = { space: scope.caller.space, agentId: query.agent_id, documentId: path.document_id };
      const { unitsDeleted, position } = await send(memoryIngest.deleteDocument, request, scope);
      await untilSeen(position, scope, { agentId: request.agentId });
      const body = {
        success: true,
        document_id: request.documentId,
        agent_id: request.agentId,
        memory_units_deleted: unitsDeleted,
        message: `Document and its ${unitsDeleted} memory units deleted successfully`,
      };
      return { body, position };
    },
    getProfile: async ({ path }, scope) => {
      const request = { space: scope.caller.space, agentId: path.agent_id };
      const { profile, position } = await send(memoryIngest.ensureAgent, request, scope);
      await untilSeen(position, scope);
      return { body: profile, position };
    },
    putProfile: ({ path, body }, scope) =>
      putAgent(path.agent_id, { personality: body.personality, background: null }, scope),
    putAgent: ({ path, body }, scope) =>
      putAgent(path.agent_id, { personality: body.personality ?? null, background: body.background ?? null }, scope),
  } satisfies Partial<HttpEndpoints<typeof memoryRoutes>>;
}

/** Whose the thing has to be that a request names by its id alone. */
function belongingTo(agentId: string | undefined, { caller }: RequestScope) {
  return { space: caller.space, agentId, ...onlyAgent(caller) };
}

/** Null: unchanged. */
interface Changes {
  readonly personality: Personality | null;
  readonly background: string | null;
}

export interface EraseDeps {
  readonly services: MemoryServices;
  readonly idempotency: Pick<Idempotency, 'eraseAgent'>;
  readonly store: Pick<EventStore<MemoryEvent>, 'head'>;
  readonly eraser: Pick<Eraser, 'find'>;
  /** How long a caller waits for an erasure, in milliseconds; it continues after that. */
  readonly timeoutMs: number;
}

/** An erasure is answered when it is done in the event log, in the read models and in the stored answers. */
export function eraseEndpoints(deps: EraseDeps) {
  return {
    eraseAgent: async ({ path }, scope) => {
      const agent = { space: scope.caller.space, agentId: path.agent_id };
      const { position, wasThere, ...counts } = await eraseEverywhere(deps, agent, scope);
      if (!wasThere) throw notFound('Agent not found');
      const body = {
        success: true,
        agent_id: agent.agentId,
        message: `Agent and its ${counts.units} memory units erased`,
        memory_units_deleted: counts.units,
        links_deleted: counts.links,
        documents_deleted: counts.documents,
        operations_deleted: counts.operations,
        events_erased: counts.events,
      };
      return { body, position };
    },
  } satisfies Partial<HttpEndpoints<typeof memoryRoutes>>;
}

/**
 * Stored answers are erased before and after the rest. Before it, so that a repeat of an earlier request is refused, which
 * would be carried out anew once its first events are gone; and after it, for the requests that came meanwhile. An agent
 * that never existed leaves no mark.
 */
async function eraseEverywhere(deps: EraseDeps, agent: AgentRef, scope: RequestScope) {
  const { services, idempotency, timeoutMs } = deps;
  const deadline = performance.now() + timeoutMs;
  let isKnown = await isInLog(deps, agent);
  if (isKnown) await idempotency.eraseAgent(agentKey(agent));
  try {
    const erased = await services.send(memoryIngest.eraseAgent, agent, scope, timeoutMs);
    isKnown = true;
    // Also after an earlier erasure, which may have ended before this step.
    await services.untilErased(agent, erased.position, scope, Math.max(1, deadline - performance.now()));
    return erased;
  } finally {
    // Also when it takes too long: it continues.
    if (isKnown) await idempotency.eraseAgent(agentKey(agent));
  }
}

/** Whether the log has an event of an agent, if only that it was erased. */
async function isInLog({ store, eraser }: EraseDeps, agent: AgentRef): Promise<boolean> {
  if ((await store.head(memorySubjects.agent(agent))) > 0) return true;
  return (await eraser.find(memorySubjects.allOf(agent), { limit: 1 })).length > 0;
}
