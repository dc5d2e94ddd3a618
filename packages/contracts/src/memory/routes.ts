import { z } from 'zod';
import { agentId, documentId, newAgentId, text, uuid } from '../http/fields.ts';
import { routesOf } from '../http/route.ts';
import { graphQuery, graphSchema } from './graph.ts';
import {
  agentErasedSchema,
  agentListSchema,
  agentProfileSchema,
  batchPutAsyncReplySchema,
  batchPutReplySchema,
  documentDeletedSchema,
  documentListSchema,
  documentSchema,
  maxDocumentTextMib,
  maxHashedTextMib,
  operationCancelledSchema,
  operationListSchema,
  operationStatusSchema,
  statsSchema,
  unitCorrectedSchema,
  unitDeletedSchema,
  unitListSchema,
} from './replies.ts';
import {
  batchPutSchema,
  correctUnitSchema,
  documentQuery,
  getDocumentQuery,
  listAgentsQuery,
  listDocumentsQuery,
  listUnitsQuery,
  putAgentSchema,
  putProfileSchema,
} from './requests.ts';
import { searchReplySchema, searchSchema } from './searching.ts';
import { thoughtRoutes } from './thinking.ts';
import { memoryUnitSchema, opinionHistorySchema } from './unit-reply.ts';

const agentPath = z.object({ agent_id: agentId });
const newAgentPath = z.object({ agent_id: newAgentId });
const unitPath = z.object({ unit_id: uuid });
/** For what is named by its id alone: without it, it may be of any agent that the caller may access. */
const ofAgentQuery = z.object({ agent_id: agentId.optional() });
const documentPath = z.object({ document_id: documentId });
const noSuchUnit = 'Memory unit not found, or of another agent than `agent_id`';
/** Checked by the route, which answers 400 with the id instead of 422. */
const operationId = text.meta({
  override: { type: 'string', format: 'uuid' },
  example: '0192f5c4-7d7a-7000-8000-3f1d2a6b9c01',
});

const store = routesOf('Store');
const recall = routesOf('Recall');
const operations = routesOf('Operations');
const documents = routesOf('Documents');
const agents = routesOf('Agents');

/** The routes of the memory area. */
export const memoryRoutes = {
  putBatch: store.post('/api/memories/batch', {
    summary: 'Store memories and wait until they are searchable',
    description:
      'Extracts facts from each item, compares them with known facts and links them. If this takes longer than the ' +
      'server waits, the response is 504 with the `operation_id`, and processing continues.',
    body: batchPutSchema,
    // A batch that is refused is not remembered.
    unknownFields: 'refuse-misspelt',
    reply: batchPutReplySchema,
    headers: { Prefer: '`wait=<seconds>`: respond after this time (RFC 7240). Default: as long as the server waits.' },
    refusals: {
      409: 'The batch was cancelled, or erased with its agent, while the request waited',
      500: 'The batch failed; the body has the reason and the `operation_id`',
      504: 'Still running; the body has the `operation_id`',
    },
  }),
  putBatchAsync: store.post('/api/memories/batch_async', {
    summary: 'Store memories asynchronously',
    description: 'Responds as soon as the batch is stored durably in the event log.',
    body: batchPutSchema,
    // A batch that is refused is not remembered.
    unknownFields: 'refuse-misspelt',
    reply: batchPutAsyncReplySchema,
  }),
  search: recall.post('/api/search', {
    summary: 'Search the memories of an agent',
    description: 'The result list is empty for an agent that does not exist.',
    body: searchSchema,
    reply: searchReplySchema,
    isRead: true,
    isWrite: false,
    scope: 'memory:read',
    refusals: { 400: 'Unknown `fact_type`, or `question_date` is not a date' },
  }),
  listUnits: recall.get('/api/list', {
    summary: 'List memory units',
    description:
      'Sorted by `date`, newest first; units of one document by their place in it. Contexts are cut to 2000 characters. The response is kept below 4 MB: if ' +
      'necessary, texts are cut and end in `…`.',
    query: listUnitsQuery,
    reply: unitListSchema,
    isOfSpace: true,
  }),
  graph: recall.get('/api/graph', {
    summary: 'Get memory units and their links as a graph',
    description:
      'Returns the units with the newest `date`, 1000 at most, and the strongest links among them, 5000 at most. ' +
      '`total_units` counts all units that the filters select. The response is kept ' +
      'below 4 MB: if necessary, texts are cut and the weakest links are omitted.',
    query: graphQuery,
    reply: graphSchema,
    isOfSpace: true,
  }),
  getUnit: recall.get('/api/memory/{unit_id}', {
    summary: 'Get a memory unit and where it comes from',
    description:
      'With its entities, its strongest links, its place in its document, the event, request and caller that it comes ' +
      'from, and its former texts. Waits up to 5 s until every change of the unit accepted before is applied, then ' +
      'returns 503.',
    pathParameters: unitPath,
    query: ofAgentQuery,
    reply: memoryUnitSchema,
    refusals: { 404: noSuchUnit },
  }),
  opinionHistory: recall.get('/api/opinions/{unit_id}/history', {
    summary: 'Read how an opinion changed over time, and why',
    description:
      'Each value of its text and confidence with the time, the reason and the facts that led to it, from the event log. ' +
      'The newest 500.',
    pathParameters: unitPath,
    query: ofAgentQuery,
    reply: opinionHistorySchema,
    refusals: { 404: 'There is no such opinion of the agent' },
  }),
  correctUnit: store.patch('/api/memory/{unit_id}', {
    summary: 'Correct the text of a memory unit',
    description:
      'The unit keeps its id, date, type and document. Its entities and links follow the new text. It is not found by ' +
      'its former text any more, which stays in the `history` of the unit.',
    pathParameters: unitPath,
    query: ofAgentQuery,
    body: correctUnitSchema,
    reply: unitCorrectedSchema,
    refusals: {
      404: noSuchUnit,
      409: 'The unit has another text than `expected_text`, or concurrent changes of it conflicted repeatedly',
      500: 'The model refused, or returned nothing usable; the message says what to do',
    },
  }),
  forgetUnit: store.delete('/api/memory/{unit_id}', {
    summary: 'Delete a memory unit and all its links',
    pathParameters: unitPath,
    query: ofAgentQuery,
    reply: unitDeletedSchema,
    refusals: { 404: noSuchUnit },
  }),
  stats: recall.get('/api/stats/{agent_id}', {
    summary: 'Get statistics of an agent',
    description:
      'Types that do not occur are omitted. All counts are 0 for an unknown agent. While a large batch is being stored, it ' +
      'counts as pending, and what is stored of it so far is counted.',
    pathParameters: agentPath,
    reply: statsSchema,
  }),
  listDocuments: documents.get('/api/documents', {
    summary: 'List the documents of an agent',
    description: 'Sorted by `created_at`, newest first.',
    query: listDocumentsQuery,
    reply: documentListSchema,
  }),
  getDocument: documents.get('/api/documents/{document_id}', {
    summary: 'Get a document',
    pathParameters: documentPath,
    query: getDocumentQuery,
    reply: documentSchema,
    refusals: {
      404: 'Document not found',
      413: `The text of the document is longer than ${maxDocumentTextMib} MiB, or with \`text=false\` than ${maxHashedTextMib} MiB`,
    },
  }),
  deleteDocument: documents.delete('/api/documents/{document_id}', {
    summary: 'Delete a document and its memory units',
    pathParameters: documentPath,
    query: documentQuery,
    reply: documentDeletedSchema,
    refusals: { 404: 'Document not found' },
  }),
  listOperations: operations.get('/api/operations/{agent_id}', {
    summary: 'List the pending and failed operations of an agent',
    description:
      'The 10,000 oldest at most, oldest first. A large batch is `pending` until all its facts are stored. Waits up to 6 s ' +
      'until every operation accepted before is listed, then returns 503.',
    pathParameters: agentPath,
    reply: operationListSchema,
  }),
  cancelOperation: operations.delete('/api/operations/{operation_id}', {
    summary: 'Cancel a pending operation, or dismiss a failed one',
    description: 'A cancelled batch stores nothing, even if processing has started.',
    pathParameters: z.object({ operation_id: operationId }),
    query: ofAgentQuery,
    reply: operationCancelledSchema,
    refusals: {
      400: 'The id is not a UUID',
      404: 'The operation is unknown, finished or already cancelled, or of another agent than `agent_id`',
    },
  }),
  retryOperation: operations.post('/api/operations/{id}/retry', {
    summary: 'Retry a failed operation',
    description: 'The operation becomes pending again, and its attempt count starts over.',
    pathParameters: z.object({ id: operationId }),
    query: ofAgentQuery,
    reply: operationStatusSchema,
    refusals: {
      400: 'The id is not a UUID',
      404: 'The operation is unknown or dismissed, or of another agent than `agent_id`',
      409: 'The operation has not failed; the body says what to do',
    },
  }),
  operationStatus: operations.get('/api/operations/{id}/status', {
    summary: 'Get the status of an operation',
    description: 'A large batch is `pending` or `processing` until all its facts are stored.',
    pathParameters: z.object({ id: operationId }),
    query: ofAgentQuery,
    reply: operationStatusSchema,
    refusals: { 400: 'The id is not a UUID', 404: 'Operation not found, or of another agent than `agent_id`' },
  }),
  listAgents: agents.get('/api/agents', {
    summary: 'List agents',
    description:
      'Sorted by `updated_at`, newest first, in pages of at most `limit` agents; a page ends earlier before it reaches ' +
      '4 MB. An agent that changes while you page moves to the front: read the first page again to see it.',
    query: listAgentsQuery,
    reply: agentListSchema,
    isOfSpace: true,
    refusals: { 400: 'The `cursor` was not returned by this endpoint' },
  }),
  putAgent: agents.put('/api/agents/{agent_id}', {
    summary: 'Create or update an agent',
    description:
      'Replaces the given fields and keeps the others. A new agent starts with the defaults: all traits 0.5, no background.',
    pathParameters: newAgentPath,
    body: putAgentSchema,
    reply: agentProfileSchema,
    refusals: { 409: 'Concurrent changes of the agent conflicted repeatedly' },
  }),
  eraseAgent: agents.delete('/api/agents/{agent_id}', {
    summary: 'Erase an agent',
    description:
      'Removes its profile, memories, documents and operations, with their texts and vectors, from every store and ' +
      'from the event log. Batches in progress store nothing. Responds when nothing of the agent can be found any more. ' +
      'On 504 (erasing takes longer) or 503 (a store is unavailable), repeat the request until it returns 200 or 404. ' +
      'An agent of the same name can be created again and starts empty.',
    pathParameters: agentPath,
    reply: agentErasedSchema,
    refusals: { 404: 'Agent not found', 409: 'Concurrent changes of the agent conflicted repeatedly' },
  }),
  getProfile: agents.get('/api/agents/{agent_id}/profile', {
    summary: 'Get the profile of an agent',
    description: 'Creates the agent with the defaults if it does not exist.',
    pathParameters: newAgentPath,
    reply: agentProfileSchema,
    isWrite: true,
  }),
  putProfile: agents.put('/api/agents/{agent_id}/profile', {
    summary: 'Update the personality of an agent',
    pathParameters: newAgentPath,
    body: putProfileSchema,
    reply: agentProfileSchema,
    refusals: { 409: 'Concurrent changes of the agent conflicted repeatedly' },
  }),
  ...thoughtRoutes,
} as const;
