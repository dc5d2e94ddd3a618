import {
  dateTimeForm,
  type FactType,
  factTypes,
  memoryQuery,
  type memoryRoutes,
  normaliseDateTime,
  type SearchRequest,
} from '@mneme/contracts';
import { boundAgentOf, onlyAgent } from '../auth/caller.ts';
import { badRequest } from '../errors.ts';
import { type HttpEndpoints, replyAsOf } from '../routing/http-endpoint.ts';
import { type MemoryServices, parseOperationId } from './memory-services.ts';

/** Queries go to the service that owns the read model. */
export function queryEndpoints({ read }: MemoryServices) {
  return {
    search: async ({ body }, scope) => {
      const request = {
        agentId: body.agent_id ?? defaultAgentId,
        agentIds: body.agent_ids,
        query: body.query,
        factTypes: parseFactTypes(body.types ?? body.fact_type ?? []),
        ...filtersOf(body),
        limit: body.limit,
        thinkingBudget: body.thinking_budget,
        minScore: body.min_score,
        maxTokens: body.max_tokens,
        reranker: body.reranker,
        trace: body.trace,
        questionDate: parseQuestionDate(body.question_date),
      };
      return { body: await read(memoryQuery.search, request, scope) };
    },
    listUnits: async ({ query }, scope) => {
      const { agent_id: agentId, fact_type: factType, document_id: documentId, ...rest } = query;
      const wanted = { agentId, factType, documentId, ...rest };
      return replyAsOf(await read(memoryQuery.listUnits, wanted, scope));
    },
    getUnit: async ({ path, query }, scope) => {
      const request = { unitId: path.unit_id, agentId: query.agent_id, ...onlyAgent(scope.caller) };
      return { body: await read(memoryQuery.getUnit, request, scope) };
    },
    opinionHistory: async ({ path, query }, scope) => {
      const unit = { unitId: path.unit_id, agentId: query.agent_id, ...onlyAgent(scope.caller) };
      return { body: await read(memoryQuery.opinionHistory, unit, scope) };
    },
    graph: async ({ query }, scope) => {
      const { agent_id: agentId, fact_type: factType, link_type: linkType, limit, edge_limit: edgeLimit } = query;
      const { since, until, entity, document_id: documentId } = query;
      const filters = { factType, linkType, since, until, entity, documentId };
      const wanted = { agentId, ...filters, limit, edgeLimit };
      return replyAsOf(await read(memoryQuery.graph, wanted, scope));
    },
    stats: async ({ path }, scope) => {
      return { body: await read(memoryQuery.stats, { agentId: path.agent_id }, scope) };
    },
    listDocuments: async ({ query }, scope) => {
      const { agent_id: agentId, ...rest } = query;
      return { body: await read(memoryQuery.listDocuments, { agentId, ...rest }, scope) };
    },
    getDocument: async ({ path, query }, scope) => {
      const document = { agentId: query.agent_id, documentId: path.document_id };
      const request = { ...document, ...(!query.text && { withoutText: true }) };
      return { body: await read(memoryQuery.getDocument, request, scope) };
    },
    listOperations: async ({ path }, scope) => {
      return { body: await read(memoryQuery.listOperations, { agentId: path.agent_id }, scope) };
    },
    operationStatus: async ({ path, query }, scope) => {
      const operationId = parseOperationId(path.id);
      const request = { operationId, agentId: query.agent_id, ...onlyAgent(scope.caller) };
      return { body: await read(memoryQuery.operationStatus, request, scope) };
    },
    listAgents: async ({ query }, scope) => {
      const request = { agentId: boundAgentOf(scope.caller), ...query };
      return replyAsOf(await read(memoryQuery.listAgents, request, scope));
    },
  } satisfies Partial<HttpEndpoints<typeof memoryRoutes>>;
}

/** The agent of a request that names none. */
const defaultAgentId = 'default';

/** Which units of an agent a search or a question is about. */
export function filtersOf(body: Pick<SearchRequest, 'document_id' | 'since' | 'until' | 'metadata'>) {
  return { documentId: body.document_id, since: body.since, until: body.until, metadata: body.metadata };
}

/** @throws WireError 400 naming the first type that does not exist */
function parseFactTypes(given: readonly string[]): FactType[] {
  const known: readonly string[] = factTypes;
  const unknown = given.find((type) => !known.includes(type));
  if (unknown === undefined) return [...new Set(given as FactType[])];
  const message = `Invalid fact_type '${shortened(unknown)}'. Must be one of: ${factTypes.join(', ')}`;
  throw badRequest(message);
}

/** @throws WireError 400 when it is not a date */
export function parseQuestionDate(given: string | null): string | null {
  if (given === null) return null;
  const normalised = normaliseDateTime(given);
  if (normalised !== undefined) return normalised;
  const message = `Invalid question_date '${shortened(given)}'. Must be a ${dateTimeForm}`;
  throw badRequest(message);
}

/** The start of what a caller sent, for a message. */
function shortened(given: string): string {
  return given.length <= 100 ? given : `${given.slice(0, 100)}…`;
}
