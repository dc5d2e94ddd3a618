import { z } from 'zod';
import { agentId, documentId, text, uuid } from '../http/fields.ts';
import { defineRoute } from '../http/route.ts';
import {
  agentErasedSchema,
  agentListSchema,
  agentProfileSchema,
  batchPutAsyncReplySchema,
  batchPutReplySchema,
  documentDeletedSchema,
  documentListSchema,
  documentSchema,
  graphSchema,
  operationCancelledSchema,
  operationListSchema,
  operationStatusSchema,
  searchReplySchema,
  statsSchema,
  unitDeletedSchema,
  unitListSchema,
} from './replies.ts';
import {
  batchPutSchema,
  documentQuery,
  graphQuery,
  listAgentsQuery,
  listDocumentsQuery,
  listUnitsQuery,
  putAgentSchema,
  putProfileSchema,
  searchSchema,
} from './requests.ts';
import { thoughtRoutes } from './thinking.ts';

const agentPath = z.object({ agent_id: agentId });
const documentPath = z.object({ document_id: documentId });
/** Checked by the route, which answers 400 with the id instead of 422. */
const operationId = text.meta({ override: { type: 'string', format: 'uuid' } });

const [store, recall, operations, documents, agents] = [
  'Store',
  'Recall',
  'Operations',
  'Documents',
  'Agents',
] as const;

/** The routes of the memory area. */
export const memoryRoutes = {
  putBatch: defineRoute({
    method: 'post',
    path: '/api/memories/batch',
    tag: store,
    summary: 'Store memories and wait until they are searchable',
    description:
      'Extracts facts from each item, compares them with known facts and links them. If this takes longer than the ' +
      'server waits, the response is 504 with the `operation_id`, and processing continues.',
    body: batchPutSchema,
    reply: batchPutReplySchema,
    isWrite: true,
    refusals: {
      409: 'The batch was cancelled, or erased with its agent, while the request waited',
      500: 'The batch failed; the body has the reason and the `operation_id`',
      504: 'Still running; the body has the `operation_id`',
    },
  }),
  putBatchAsync: defineRoute({
    method: 'post',
    path: '/api/memories/batch_async',
    tag: store,
    summary: 'Store memories asynchronously',
    description: 'Responds as soon as the batch is stored durably in the event log.',
    body: batchPutSchema,
    reply: batchPutAsyncReplySchema,
    isWrite: true,
  }),
  search: defineRoute({
    method: 'post',
    path: '/api/search',
    tag: recall,
    summary: 'Search the memories of an agent',
    description: 'The result list is empty for an agent that does not exist.',
    body: searchSchema,
    reply: searchReplySchema,
    isRead: true,
    scope: 'memory:read',
    refusals: { 400: 'Unknown `fact_type`, or `question_date` is not a date' },
  }),
  listUnits: defineRoute({
    method: 'get',
    path: '/api/list',
    tag: recall,
    summary: 'List memory units',
    description:
      'Sorted by `date`, newest first. Contexts are cut to 2000 characters. The response is kept below 4 MB: if ' +
      'necessary, texts are cut and end in `…`.',
    query: listUnitsQuery,
    reply: unitListSchema,
    isRead: true,
  }),
  graph: defineRoute({
    method: 'get',
    path: '/api/graph',
    tag: recall,
    summary: 'Get memory units and their links as a graph',
    description:
      'Returns the 1000 units with the newest `date` and the 5000 strongest links among them. The response is kept ' +
      'below 4 MB: if necessary, texts are cut and the weakest links are omitted.',
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
    summary: 'Get statistics of an agent',
    description: 'Types that do not occur are omitted. All counts are 0 for an unknown agent.',
    pathParameters: agentPath,
    reply: statsSchema,
    isRead: true,
  }),
  listDocuments: defineRoute({
    method: 'get',
    path: '/api/documents',
    tag: documents,
    summary: 'List the documents of an agent',
    description: 'Sorted by `created_at`, newest first.',
    query: listDocumentsQuery,
    reply: documentListSchema,
    isRead: true,
  }),
  getDocument: defineRoute({
    method: 'get',
    path: '/api/documents/{document_id}',
    tag: documents,
    summary: 'Get a document',
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
    description:
      'Sorted by age, oldest first. Waits up to 5 s until every operation accepted before is listed, then returns 503.',
    pathParameters: agentPath,
    reply: operationListSchema,
    isRead: true,
  }),
  cancelOperation: defineRoute({
    method: 'delete',
    path: '/api/operations/{operation_id}',
    tag: operations,
    summary: 'Cancel a pending operation, or dismiss a failed one',
    description: 'A cancelled batch stores nothing, even if processing has started.',
    pathParameters: z.object({ operation_id: operationId }),
    reply: operationCancelledSchema,
    isWrite: true,
    refusals: { 400: 'The id is not a UUID', 404: 'The operation is unknown, finished or already cancelled' },
  }),
  retryOperation: defineRoute({
    method: 'post',
    path: '/api/operations/{id}/retry',
    tag: operations,
    summary: 'Retry a failed operation',
    description: 'The operation becomes pending again, and its attempt count starts over.',
    pathParameters: z.object({ id: operationId }),
    reply: operationStatusSchema,
    isWrite: true,
    refusals: {
      400: 'The id is not a UUID',
      404: 'The operation is unknown or dismissed',
      409: 'The operation has not failed; the body says what to do',
    },
  }),
  operationStatus: defineRoute({
    method: 'get',
    path: '/api/operations/{id}/status',
    tag: operations,
    summary: 'Get the status of an operation',
    description: 'A large batch is `pending` or `processing` until all its facts are stored.',
    pathParameters: z.object({ id: operationId }),
    reply: operationStatusSchema,
    isRead: true,
    refusals: { 400: 'The id is not a UUID', 404: 'Operation not found' },
  }),
  listAgents: defineRoute({
    method: 'get',
    path: '/api/agents',
    tag: agents,
    summary: 'List agents',
    description:
      'Sorted by `updated_at`, newest first, in pages of at most `limit` agents; a page ends earlier before it reaches ' +
      '4 MB. An agent that changes while you page moves to the front: read the first page again to see it.',
    query: listAgentsQuery,
    reply: agentListSchema,
    isRead: true,
    refusals: { 400: 'The `cursor` was not returned by this endpoint' },
  }),
  putAgent: defineRoute({
    method: 'put',
    path: '/api/agents/{agent_id}',
    tag: agents,
    summary: 'Create or update an agent',
    description:
      'Replaces the given fields and keeps the others. A new agent starts with the defaults: all traits 0.5, no background.',
    pathParameters: agentPath,
    body: putAgentSchema,
    reply: agentProfileSchema,
    isWrite: true,
    refusals: { 409: 'Concurrent changes of the agent conflicted repeatedly' },
  }),
  eraseAgent: defineRoute({
    method: 'delete',
    path: '/api/agents/{agent_id}',
    tag: agents,
    summary: 'Erase an agent',
    description:
      'Removes its profile, memories, documents and operations, with their texts and vectors, from every store and ' +
      'from the event log. Batches in progress store nothing. Responds when nothing of the agent can be found any more. ' +
      'On 504 (erasing takes longer) or 503 (a store is unavailable), repeat the request until it returns 200 or 404. ' +
      'An agent of the same name can be created again and starts empty.',
    pathParameters: agentPath,
    reply: agentErasedSchema,
    isWrite: true,
    refusals: { 404: 'Agent not found', 409: 'Concurrent changes of the agent conflicted repeatedly' },
  }),
  getProfile: defineRoute({
    method: 'get',
    path: '/api/agents/{agent_id}/profile',
    tag: agents,
    summary: 'Get the profile of an agent',
    description: 'Creates the agent with the defaults if it does not exist.',
    pathParameters: agentPath,
    reply: agentProfileSchema,
    isWrite: true,
    isRead: true,
  }),
  putProfile: defineRoute({
    method: 'put',
    path: '/api/agents/{agent_id}/profile',
    tag: agents,
    summary: 'Update the personality of an agent',
    pathParameters: agentPath,
    body: putProfileSchema,
    reply: agentProfileSchema,
    isWrite: true,
    refusals: { 409: 'Concurrent changes of the agent conflicted repeatedly' },
  }),
  ...thoughtRoutes,
} as const;
