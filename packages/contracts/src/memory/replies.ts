import { z } from 'zod';
import { factTypeSchema, personalitySchema, rerankers } from './schemas.ts';

const timestamp = z.string().meta({ format: 'date-time', description: 'ISO 8601 in UTC with milliseconds' });
const page = { total: z.int(), limit: z.int(), offset: z.int() };

export const searchResultSchema = z
  .object({
    id: z.string(),
    text: z.string(),
    type: factTypeSchema.nullable(),
    activation: z.number().nullable().meta({ description: '0 to 1' }),
    context: z.string().nullable().meta({
      description: 'Cut to 2000 characters and an ellipsis; to fewer if there are more than 500 results',
    }),
    event_date: timestamp.nullable(),
    score: z.number().meta({ description: '0 to 1; results are sorted by it' }),
    document_id: z.string().nullable(),
    entities: z.string().meta({ description: '`Name (TYPE), ...`' }),
  })
  .meta({ id: 'SearchResult' });
export type SearchResult = z.infer<typeof searchResultSchema>;

const rankedUnit = z.object({ id: z.string(), score: z.number() });

export const searchTraceSchema = z
  .looseObject({
    query: z.string(),
    num_results: z.int(),
    time_seconds: z.number(),
    retrieval: z.record(z.string(), z.array(rankedUnit)).meta({ description: 'Ranked ids by retrieval method' }),
    entry_points: z.array(rankedUnit),
    visits: z.array(rankedUnit),
    reranker: z
      .object({ asked: z.enum(rerankers), used: z.enum(rerankers), reason: z.string().nullable() })
      .meta({ description: 'The requested reranker, the one that was used, and the reason if they differ' }),
    pruned: z.array(z.object({ id: z.string(), reason: z.string() })),
    reranked: z.array(z.object({ id: z.string(), score: z.number(), parts: z.record(z.string(), z.number()) })),
    phases: z.array(z.object({ name: z.string(), duration_seconds: z.number() })),
  })
  .meta({ id: 'SearchTrace' });
export type SearchTrace = z.infer<typeof searchTraceSchema>;

export const searchReplySchema = z
  .object({ results: z.array(searchResultSchema), trace: searchTraceSchema.nullable() })
  .meta({ id: 'SearchResponse' });
export type SearchReply = z.infer<typeof searchReplySchema>;

export const listedUnitSchema = z
  .object({
    id: z.string(),
    text: z.string(),
    context: z.string().nullable(),
    date: timestamp,
    fact_type: factTypeSchema,
    entities: z.string().meta({ description: '`Name (TYPE), ...`' }),
  })
  .meta({ id: 'ListedMemoryUnit' });
export const unitListSchema = z.object({ items: z.array(listedUnitSchema), ...page }).meta({ id: 'ListResponse' });
export type UnitList = z.infer<typeof unitListSchema>;

export const documentSchema = z
  .object({
    id: z.string(),
    agent_id: z.string(),
    original_text: z.string(),
    content_hash: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    memory_unit_count: z.int(),
  })
  .meta({ id: 'DocumentResponse' });
export type DocumentReply = z.infer<typeof documentSchema>;

export const listedDocumentSchema = documentSchema
  .omit({ original_text: true })
  .extend({ text_length: z.int().meta({ description: 'Length of the original text in characters' }) })
  .meta({ id: 'ListedDocument' });
export const documentListSchema = z
  .object({ items: z.array(listedDocumentSchema), ...page })
  .meta({ id: 'ListDocumentsResponse' });
export type DocumentList = z.infer<typeof documentListSchema>;

export const agentProfileSchema = z
  .object({ agent_id: z.string(), personality: personalitySchema, background: z.string() })
  .meta({ id: 'AgentProfileResponse' });
export type AgentProfile = z.infer<typeof agentProfileSchema>;

export const agentListItemSchema = agentProfileSchema
  .extend({ created_at: timestamp.nullable(), updated_at: timestamp.nullable() })
  .meta({ id: 'AgentListItem' });
export type AgentListItem = z.infer<typeof agentListItemSchema>;

export const agentListSchema = z
  .object({
    agents: z.array(agentListItemSchema),
    total: z.int().meta({ description: 'Number of agents on all pages' }),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Send it as `cursor` to get the next page; null on the last page' }),
  })
  .meta({ id: 'AgentListResponse' });
export type AgentList = z.infer<typeof agentListSchema>;

const counts = z.record(z.string(), z.int());
export const statsSchema = z
  .object({
    agent_id: z.string(),
    total_nodes: z.int(),
    total_links: z.int(),
    total_documents: z.int(),
    nodes_by_type: counts,
    links_by_type: counts,
    pending_operations: z.int(),
    failed_operations: z.int(),
  })
  .meta({ id: 'StatsResponse' });
export type Stats = z.infer<typeof statsSchema>;

export const listedOperationSchema = z
  .object({
    id: z.string(),
    task_type: z.literal('batch_put'),
    items_count: z.int(),
    document_id: z.string().nullable(),
    created_at: timestamp,
    status: z.enum(['pending', 'failed']),
    error_message: z.string().nullable(),
    attempts: z.int(),
  })
  .meta({ id: 'ListedOperation' });
export const operationListSchema = z
  .object({ agent_id: z.string(), operations: z.array(listedOperationSchema) })
  .meta({ id: 'OperationListResponse' });
export type OperationList = z.infer<typeof operationListSchema>;

export const operationStatuses = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const;
export const operationStatusSchema = z
  .object({
    id: z.string(),
    agent_id: z.string(),
    status: z.enum(operationStatuses),
    items_count: z.int(),
    units_created: z.int(),
    error_message: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'OperationStatusResponse' });
export type OperationStatus = z.infer<typeof operationStatusSchema>;

const stored = {
  success: z.boolean(),
  message: z.string(),
  agent_id: z.string(),
  document_id: z.string().nullable(),
  items_count: z.int().meta({ description: 'Number of items in the batch' }),
};

export const batchPutReplySchema = z.object(stored).meta({ id: 'BatchPutResponse' });
export type BatchPutReply = z.infer<typeof batchPutReplySchema>;

export const batchPutAsyncReplySchema = z
  .object({
    ...stored,
    queued: z.boolean(),
    operation_id: z.string().meta({ description: 'Poll `/api/operations/{id}/status` with it', format: 'uuid' }),
  })
  .meta({ id: 'BatchPutAsyncResponse' });
export type BatchPutAsyncReply = z.infer<typeof batchPutAsyncReplySchema>;

export const operationCancelledSchema = z
  .object({ success: z.boolean(), message: z.string(), operation_id: z.string(), agent_id: z.string() })
  .meta({ id: 'CancelOperationResponse' });

export const unitDeletedSchema = z
  .object({ success: z.boolean(), unit_id: z.string(), message: z.string() })
  .meta({ id: 'DeleteMemoryUnitResponse' });

export const agentErasedSchema = z
  .object({
    success: z.boolean(),
    agent_id: z.string(),
    message: z.string(),
    memory_units_deleted: z.int(),
    links_deleted: z.int(),
    documents_deleted: z.int(),
    operations_deleted: z.int().meta({ description: 'Batches in any state' }),
    events_erased: z.int().meta({ description: 'Messages overwritten in the event log' }),
  })
  .meta({ id: 'EraseAgentResponse' });

export const documentDeletedSchema = z
  .object({
    success: z.boolean(),
    document_id: z.string(),
    agent_id: z.string(),
    memory_units_deleted: z.int(),
    message: z.string(),
  })
  .meta({ id: 'DeleteDocumentResponse' });

const shown = {
  id: z.string(),
  text: z.string().meta({ description: 'Cut and ending in `…` if the response would become too large' }),
  context: z.string().nullable().meta({ description: 'Cut to 500 characters' }),
  date: z.string().meta({ format: 'date-time', description: 'ISO 8601 in UTC with milliseconds' }),
  entities: z.string().meta({ description: '`Name (TYPE), ...`' }),
};

const nodeFields = {
  ...shown,
  label: z.string().meta({ description: 'The first 30 characters of the text, followed by `...` if it is longer' }),
  type: factTypeSchema,
  color: z.string().meta({ description: 'Same color for all units of a type', example: '#4e79a7' }),
};

const graphNodeSchema = z
  .object({ ...nodeFields, data: z.object(nodeFields).meta({ description: 'Same values in the format of Cytoscape' }) })
  .meta({ id: 'GraphNode' });

const graphEdgeSchema = z
  .object({
    from: z.string(),
    to: z.string(),
    type: z.string().meta({ description: '`temporal`, `semantic` or `entity`' }),
    weight: z.number().meta({ description: '0 to 1' }),
    data: z.object({
      id: z.string(),
      source: z.string(),
      target: z.string(),
      linkType: z.string(),
      weight: z.number(),
      entityName: z.string().nullable(),
    }),
  })
  .meta({ id: 'GraphEdge' });

export const graphSchema = z
  .object({
    nodes: z.array(graphNodeSchema),
    edges: z.array(graphEdgeSchema),
    table_rows: z.array(z.object(shown).meta({ id: 'GraphTableRow' })),
    total_units: z.int().meta({ description: 'Number of matching units, including those not shown' }),
  })
  .meta({ id: 'GraphResponse' });
export type Graph = z.infer<typeof graphSchema>;
