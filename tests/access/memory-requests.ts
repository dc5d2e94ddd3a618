import { memoryRoutes } from '@mneme/contracts';
import type { Answer, HttpClient } from '../system/http-client.ts';

export type MemoryRouteName = keyof typeof memoryRoutes;

/** What a request is aimed at. */
export interface Target {
  readonly agentId: string;
  readonly unitId: string;
  readonly operationId: string;
  readonly documentId: string;
}

interface Request {
  readonly path: string;
  readonly body?: unknown;
}

const traits = { openness: 1, conscientiousness: 0, extraversion: 0, agreeableness: 0, neuroticism: 1 };
const items = [{ content: 'Dana walks in the park.' }];
const question = 'Where does the crate stand, and where is Alice in Lisbon?';

/** One request for every route of the memory area; a route without one does not compile, and fails a test. */
export const memoryRequests: Readonly<Record<MemoryRouteName, (target: Target) => Request>> = {
  putBatch: ({ agentId: agent_id }) => ({ path: '/api/memories/batch', body: { agent_id, items } }),
  putBatchAsync: ({ agentId: agent_id }) => ({ path: '/api/memories/batch_async', body: { agent_id, items } }),
  search: ({ agentId: agent_id }) => ({ path: '/api/search', body: { agent_id, query: question, trace: true } }),
  listUnits: ({ agentId }) => ({ path: `/api/list?agent_id=${agentId}&limit=1000` }),
  graph: ({ agentId }) => ({ path: `/api/graph?agent_id=${agentId}` }),
  getUnit: ({ unitId }) => ({ path: `/api/memory/${unitId}` }),
  opinionHistory: ({ unitId }) => ({ path: `/api/opinions/${unitId}/history` }),
  correctUnit: ({ unitId }) => ({ path: `/api/memory/${unitId}`, body: { text: 'Dana walks.' } }),
  forgetUnit: ({ unitId }) => ({ path: `/api/memory/${unitId}` }),
  stats: ({ agentId }) => ({ path: `/api/stats/${agentId}` }),
  listDocuments: ({ agentId }) => ({ path: `/api/documents?agent_id=${agentId}` }),
  getDocument: ({ agentId, documentId }) => ({ path: `/api/documents/${documentId}?agent_id=${agentId}` }),
  deleteDocument: ({ agentId, documentId }) => ({ path: `/api/documents/${documentId}?agent_id=${agentId}` }),
  listOperations: ({ agentId }) => ({ path: `/api/operations/${agentId}` }),
  cancelOperation: ({ operationId }) => ({ path: `/api/operations/${operationId}` }),
  retryOperation: ({ operationId }) => ({ path: `/api/operations/${operationId}/retry` }),
  operationStatus: ({ operationId }) => ({ path: `/api/operations/${operationId}/status` }),
  listAgents: () => ({ path: '/api/agents' }),
  putAgent: ({ agentId }) => ({ path: `/api/agents/${agentId}`, body: { background: 'I walk.' } }),
  eraseAgent: ({ agentId }) => ({ path: `/api/agents/${agentId}` }),
  getProfile: ({ agentId }) => ({ path: `/api/agents/${agentId}/profile` }),
  putProfile: ({ agentId }) => ({
    path: `/api/agents/${agentId}/profile`,
    body: { personality: { ...traits, bias_strength: 1 } },
  }),
  think: ({ agentId: agent_id }) => ({ path: '/api/think', body: { agent_id, query: question } }),
  addBackground: ({ agentId }) => ({ path: `/api/agents/${agentId}/background`, body: { content: 'You walk.' } }),
};

export const memoryRouteNames = Object.keys(memoryRoutes) as MemoryRouteName[];

/** The routes that take their object by an id that we gave out, and do not name an agent. */
export const routesById: readonly MemoryRouteName[] = [
  'getUnit',
  'opinionHistory',
  'correctUnit',
  'forgetUnit',
  'cancelOperation',
  'retryOperation',
  'operationStatus',
];

export function requestMemory(http: HttpClient, name: MemoryRouteName, target: Target): Promise<Answer<unknown>> {
  const { path, body } = memoryRequests[name](target);
  const { method } = memoryRoutes[name];
  if (method === 'get' || method === 'delete') return http[method](path);
  return http[method](path, body ?? {});
}
