import { z } from 'zod';
import { agentId, documentId, text, uuid } from '../http/fields.ts';
import { defineRoute } from '../http/route.ts';
import {
  agentErasedSchema,
  batchPutAsyncReplySchema,
  batchPutReplySchema,
  documentDeletedSchema,
  operationCancelledSchema,
  unitDeletedSchema,
} from './command-replies.ts';
import { graphQuery, graphSchema } from './graph.ts';
import {
  agentListSchema,
  agentProfileSchema,
  documentListSchema,
  documentSchema,
  operationListSchema,
  operationStatusSchema,
  searchReplySchema,
  statsSchema,
  unitListSchema,
} from './replies.ts';
import {
  batchPutSchema,
  documentQuery,
  listAgentsQuery,
  listDocumentsQuery,
  listUnitsQuery,
  putAgentSchema,
  putProfileSchema,
  searchSchema,
} from './requests.ts';
import { thoughtRoutes } from './thought-routes.ts';

const agentPath = z.object({ agent_id: agentId });
const documentPath = z.object({ document_id: documentId });
/** Checked by the handler, which answers 400 with the id and not 422. */
const operationId = text.meta({ override: { type: 'string', format: 'uuid' } });

const [store, recall, operations, documents, agents] = [
  'Store',
  'Recall',
  'Operations',
  'Documents',
  'Agents',
] as const;

/** The calls of the memory area. */
export const memoryRoutes = {
  putBatch: defineRoute({
    method: 'post',
    path: '/api/memories/batch',
    tag: store,
    summary: 'Store memories, and wait until they can be searched',
    description:
      'Facts are taken from each item, compared with what is known and linked. Past the time that the server waits, ' +
      'the answer is 504; the work goes on, and the problem body has its `operation_id`.',
    body: batchPutSchema,
    reply: batchPutReplySchema,
    isWrite: true,
    refusals: {
      409: 'The batch was cancelled, or erased with its agent, while the call waited',
      500: 'The batch failed; the body says why and has its `operation_id`',
      504: 'Still running; the body has its `operation_id`',
    },
  }),
  putBatchAsync: defineRoute({
    method: 'post',
    path: '/api/memories/batch_async',
    tag: store,
    summary: 'Store memories in the background',
    description: 'Answers as soon as the batch is durably in the event log.',
    body: batchPutSchema,
    reply: batchPutAsyncReplySchema,
    isWrite: true,
  }),
  search: defineRoute({
    method: 'post',
    path: '/api/search',
    tag: recall,
    summary: 'Search the memories of an agent',
    description: 'An agent that does not exist has no results.',
    body: searchSchema,
    reply: searchReplySchema,
    isRead: true,
    scope: 'memory:read',
    refusals: { 400: 'An unknown `fact_type`, or a `question_date` that is no date' },
  }),
  listUnits: defineRoute({
    method: 'get',
    path: '/api/list',
    tag: recall,
    summary: 'List memory units',
    description:
      'The newest `date` first. Of each context the first 2000 characters are listed. The reply stays below 4 MB: where ' +
      'it would be larger, texts are cut, and end in `…`.',
    query: listUnitsQuery,
    reply: unitListSchema,
    isRead: true,
  }),
  graph: defineRoute({
    method: 'get',
    path: '/api/graph',
    tag: recall,
    summary: 'Draw memory units and their links',
    description:
      'The 1000 units with the newest `date`, and the strongest 5000 links among them. The reply stays below 4 MB: where ' +
      'it would be larger, texts are cut and the weakest links left out.',
    query: graphQuery,
    reply: graphSchema,
    isRead: true,
  }),
  forgetUnit: defineRoute({
    method: 'delete',
    path: '/api/memory/{unit_id}',
    tag: store,
    summary: 'Delete a memory unit and all its links',
    pathParameters: z.object({ unit_id: uuid }),
    reply: unitDeletedSchema,
    isWrite: true,
    refusals: { 404: 'Memory unit not found' },
  }),
  stats: defineRoute({
    method: 'get',
    path: '/api/stats/{agent_id}',
    tag: recall,
    summary: 'Count what an agent remembers',
    description: 'Kinds that do not occur are left out; an unknown agent has zeros.',
    pathParameters: agentPath,
    reply: statsSchema,
    isRead: true,
  }),
  listDocuments: defineRoute({
    method: 'get',
    path: '/api/documents',
    tag: documents,
    summary: 'List the documents of an agent',
    description: 'The newest `created_at` first.',
    query: listDocumentsQuery,
    reply: documentListSchema,
    isRead: true,
  }),
  getDocument: defineRoute({
    method: 'get',
    path: '/api/documents/{document_id}',
    tag: documents,
    summary: 'Read a document',
    pathParameters: documentPath,
    query: documentQuery,
    reply: documentSchema,
    isRead: true,
    refusals: { 404: 'Document not found' },
  }),
  deleteDocument: defineRoute({
    method: 'delete',
    path: '/api/documents/{document_id}',
    tag: documents,
    summary: 'Delete a document and its memory units',
    pathParameters: documentPath,
    query: documentQuery,
    reply: documentDeletedSchema,
    isWrite: true,
    refusals: { 404: 'Document not found' },
  }),
  listOperations: defineRoute({
    method: 'get',
    path: '/api/operations/{agent_id}',
    tag: operations,
    summary: 'List the pending and failed operations of an agent',
    description: 'The oldest first. Waits until all that was accepted before can be listed, 5 s at most, then 503.',
    pathParameters: agentPath,
    reply: operationListSchema,
    isRead: true,
  }),
  cancelOperation: defineRoute({
    method: 'delete',
    path: '/api/operations/{operation_id}',
    tag: operations,
    summary: 'Cancel a pending operation, or dismiss a failed one',
    description: 'A cancelled batch stores nothing, even if the work on it had begun.',
    pathParameters: z.object({ operation_id: operationId }),
    reply: operationCancelledSchema,
    isWrite: true,
    refusals: { 400: 'The id is no UUID', 404: 'Unknown, finished or cancelled already' },
  }),
  retryOperation: defineRoute({
    method: 'post',
    path: '/api/operations/{id}/retry',
    tag: operations,
    summary: 'Work on a failed operation anew',
    description: 'It becomes pending again, and its attempts are counted from the start.',
    pathParameters: z.object({ id: operationId }),
    reply: operationStatusSchema,
    isWrite: true,
    refusals: {
      400: 'The id is no UUID',
      404: 'Unknown, or dismissed',
      409: 'It has not failed; the body says what to do',
    },
  }),
  operationStatus: defineRoute({
    method: 'get',
    path: '/api/operations/{id}/status',
    tag: operations,
    summary: 'Say how far an operation is',
    description: 'While the facts of a large batch are being stored, the batch is `pending` or `processing`.',
    pathParameters: z.object({ id: operationId }),
    reply: operationStatusSchema,
    isRead: true,
    refusals: { 400: 'The id is no UUID', 404: 'No such operation' },
  }),
  listAgents: defineRoute({
    method: 'get',
    path: '/api/agents',
    tag: agents,
    summary: 'List the agents',
    description:
      'The newest `updated_at` first, in pages. A page has at most `limit` agents and ends earlier before it is 4 MB large. ' +
      'An agent that changes while you read the pages moves to the front: read the first page again to see it.',
    query: listAgentsQuery,
    reply: agentListSchema,
    isRead: true,
    refusals: { 400: 'The `cursor` is none that this call gave' },
  }),
  putAgent: defineRoute({
    method: 'put',
    path: '/api/agents/{agent_id}',
    tag: agents,
    summary: 'Create or change an agent',
    description:
      'Replaces what is given and keeps the rest. A new agent has the defaults: all traits 0.5, no background.',
    pathParameters: agentPath,
    body: putAgentSchema,
    reply: agentProfileSchema,
    isWrite: true,
    refusals: { 409: 'The agent was changed by others at the same time, again and again' },
  }),
  eraseAgent: defineRoute({
    method: 'delete',
    path: '/api/agents/{agent_id}',
    tag: agents,
    summary: 'Erase an agent',
    description:
      'Its profile, memories, documents and operations go, with their text and vectors, from every store and from the ' +
      'event log. Batches on their way store nothing. It answers when nothing of it can be found any more. A 504 says ' +
      'that this takes longer, and a 503 that a store is away: send the same call again until it says 200 or 404. An ' +
      'agent of that name can be created again and starts empty.',
    pathParameters: agentPath,
    reply: agentErasedSchema,
    isWrite: true,
    refusals: { 404: 'Agent not found', 409: 'The agent was changed by others at the same time, again and again' },
  }),
  getProfile: defineRoute({
    method: 'get',
    path: '/api/agents/{agent_id}/profile',
    tag: agents,
    summary: 'Read the profile of an agent',
    description: 'Creates the agent with the defaults when it does not exist.',
    pathParameters: agentPath,
    reply: agentProfileSchema,
    isWrite: true,
    isRead: true,
  }),
  putProfile: defineRoute({
    method: 'put',
    path: '/api/agents/{agent_id}/profile',
    tag: agents,
    summary: 'Change the personality of an agent',
    pathParameters: agentPath,
    body: putProfileSchema,
    reply: agentProfileSchema,
    isWrite: true,
    refusals: { 409: 'The agent was changed by others at the same time, again and again' },
  }),
  ...thoughtRoutes,
} as const;
