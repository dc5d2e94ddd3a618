import { memoryIngest, memoryQuery, type memoryRoutes, type Personality } from '@mneme/contracts';
import { parsePosition } from '@mneme/event-store';
import { onlyAgent } from '../auth/bound-agent.ts';
import type { Handlers, RequestScope } from '../http/endpoints.ts';
import type { MemoryCalls } from './memory-requests.ts';
import { parseOperationId } from './operation-id.ts';

type CommandRoutes = Pick<
  typeof memoryRoutes,
  'cancelOperation' | 'retryOperation' | 'forgetUnit' | 'deleteDocument' | 'getProfile' | 'putProfile' | 'putAgent'
>;

/** Commands go to the service that decides; the reply waits, if it can, until reads see what was done. */
export function commandHandlers({ call, untilSeen }: MemoryCalls): Handlers<CommandRoutes> {
  const putAgent = async (agentId: string, changes: Changes, scope: RequestScope) => {
    const request = { space: scope.caller.space, agentId, ...changes };
    const { profile, position } = await call(memoryIngest.putAgent, request, scope);
    await untilSeen(position, scope);
    return { body: profile, position };
  };

  return {
    cancelOperation: async ({ path }, scope) => {
      const operationId = parseOperationId(path.operation_id);
      const request = { space: scope.caller.space, operationId, ...onlyAgent(scope.caller) };
      const { agentId, position } = await call(memoryIngest.cancelOperation, request, scope);
      await untilSeen(position, scope);
      const message = `Operation ${operationId} cancelled`;
      return { body: { success: true, message, operation_id: operationId, agent_id: agentId }, position };
    },
    retryOperation: async ({ path }, scope) => {
      const operationId = parseOperationId(path.id);
      const ref = { space: scope.caller.space, operationId, ...onlyAgent(scope.caller) };
      const { position } = await call(memoryIngest.retryOperation, { ...ref, commandId: scope.commandId }, scope);
      const minSequence = parsePosition(position)?.sequence;
      return { body: await call(memoryQuery.operationStatus, { ...ref, minSequence }, scope), position };
    },
    forgetUnit: async ({ path }, scope) => {
      const request = { space: scope.caller.space, unitId: path.unit_id, ...onlyAgent(scope.caller) };
      const { position } = await call(memoryIngest.forgetUnit, request, scope);
      await untilSeen(position, scope);
      const message = 'Memory unit and all its links deleted successfully';
      return { body: { success: true, unit_id: path.unit_id, message }, position };
    },
    deleteDocument: async ({ path, query }, scope) => {
      const request = { space: scope.caller.space, agentId: query.agent_id, documentId: path.document_id };
      const { unitsDeleted, position } = await call(memoryIngest.deleteDocument, request, scope);
      await untilSeen(position, scope);
      return { body: describeDeletion(request, unitsDeleted), position };
    },
    getProfile: async ({ path }, scope) => {
      const request = { space: scope.caller.space, agentId: path.agent_id };
      const { profile, position } = await call(memoryIngest.ensureAgent, request, scope);
      await untilSeen(position, scope);
      return { body: profile, position };
    },
    putProfile: ({ path, body }, scope) =>
      putAgent(path.agent_id, { personality: body.personality, background: null }, scope),
    putAgent: ({ path, body }, scope) =>
      putAgent(path.agent_id, { personality: body.personality ?? null, background: body.background ?? null }, scope),
  };
}

/** Null: kept as it is. */
interface Changes {
  readonly personality: Personality | null;
  readonly background: string | null;
}

function describeDeletion(request: { documentId: string; agentId: string }, unitsDeleted: number) {
  return {
    success: true,
    document_id: request.documentId,
    agent_id: request.agentId,
    memory_units_deleted: unitsDeleted,
    message: `Document and its ${unitsDeleted} memory units deleted successfully`,
  };
}
