import { z } from 'zod';
import { component } from '../http/component.ts';
import { metadataSchema } from './metadata.ts';
import { factTypeSchema, personalitySchema, rerankers } from './schemas.ts';

const timestamp = z.string().meta({ format: 'date-time', description: 'ISO 8601 in UTC with milliseconds' });
const page = { total: z.int(), limit: z.int(), offset: z.int() };

const metadata = metadataSchema.optional().meta({ description: 'The metadata of the item, if it has any' });

export const searchResultSchema = component('SearchResult', {
  id: z.string(),
  text: z.string(),
  type: factTypeSchema.nullable(),
  activation: z.number().nullable().meta({ description: '0 to 1' }),
  context: z.string().nullable().meta({
    description: 'Cut to 2000 characters and an ellipsis; to fewer if there are more than 500 results',
  }),
  event_date: timestamp.nullable(),
  score: z.number().meta({ description: '0 to 1; results are sorted by it' }),
  relevance: z.enum(['high', 'low']).optional().meta({
    description: '`low` if the text itself has little to do with the question, and was found by what stands around it',
  }),
  document_id: z.string().nullable(),
  entities: z.string().meta({ description: '`Name (TYPE), ...`' }),
  metadata,
  agent_id: z.string().optional().meta({ description: 'Whose memory it is; only in a search with `agent_ids`' }),
});
export type SearchResult = z.infer<typeof searchResultSchema>;

const rankedUnit = z.object({ id: z.string(), score: z.number() });

const source = z.object({
  id: z.string(),
  type: z.enum(['neighbour', 'document', 'semantic', 'entity', 'temporal']),
  amount: z.number(),
});

const searchPictureSchema = component(
  'SearchPicture',
  {
    units: z
      .array(
        z.object({
          id: z.string(),
          by: z.enum(['entry', 'neighbour', 'link']),
          type: factTypeSchema,
          text: z.string().meta({ description: 'Cut to 200 characters' }),
        }),
      )
      .meta({ description: 'The visited units with the greatest activation, 200 at most' }),
    found_by: z
      .array(
        z.object({
          id: z.string(),
          methods: z.array(z.object({ method: z.string(), rank: z.int().min(1), score: z.number() })),
        }),
      )
      .meta({ description: 'Of each result: which methods found it, or its passage; none if it was only reached' }),
    steps: z
      .array(
        z.object({
          name: z.enum(['match', 'neighbours', 'documents', 'links']),
          units: z.array(z.object({ id: z.string(), added: z.number(), from: z.array(source) })),
        }),
      )
      .meta({
        description:
          'How activation spread to `units`: by their own match and that of their passage, from the passages around, from ' +
          'the best passages of the document, over links. `added` is on the scale of `parts` in `reranked`',
      }),
    stages: z
      .array(z.object({ name: z.enum(['activation', 'rerank', 'cross-encoder', 'results']), ids: z.array(z.string()) }))
      .meta({ description: 'The order of units after each stage, the best 200' }),
    is_complete: z.boolean().meta({ description: 'Whether all visited units are in `units`' }),
  },
  { description: 'What a picture of the search needs, bounded' },
);
export type SearchPicture = z.infer<typeof searchPictureSchema>;

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
    phases: z
      .array(z.object({ name: z.string(), duration_seconds: z.number() }))
      .meta({ description: 'How long each part took, in the order in which they ended; some overlap' }),
    picture: searchPictureSchema.optional().meta({ description: 'Left out in a search of several agents' }),
  })
  .meta({ id: 'SearchTrace' });
export type SearchTrace = z.infer<typeof searchTraceSchema>;

export const searchReplySchema = component('SearchResponse', {
  results: z.array(searchResultSchema),
  trace: searchTraceSchema.nullable(),
});
export type SearchReply = z.infer<typeof searchReplySchema>;

export const listedUnitSchema = component('ListedMemoryUnit', {
  id: z.string(),
  text: z.string(),
  context: z.string().nullable(),
  date: timestamp,
  fact_type: factTypeSchema,
  entities: z.string().meta({ description: '`Name (TYPE), ...`' }),
  metadata,
});
export const unitListSchema = component('ListResponse', { items: z.array(listedUnitSchema), ...page });
export type UnitList = z.infer<typeof unitListSchema>;

export const documentSchema = component('DocumentResponse', {
  id: z.string(),
  agent_id: z.string(),
  original_text: z.string(),
  content_hash: z.string().nullable().meta({
    description: 'SHA-256 of the original text in hexadecimal; in lists null for a document that was appended to',
  }),
  created_at: timestamp,
  updated_at: timestamp,
  memory_unit_count: z.int(),
});
export type DocumentReply = z.infer<typeof documentSchema>;

export const listedDocumentSchema = documentSchema
  .omit({ original_text: true })
  .extend({ text_length: z.int().meta({ description: 'Length of the original text in characters' }) })
  .meta({ id: 'ListedDocument' });
export const documentListSchema = component('ListDocumentsResponse', { items: z.array(listedDocumentSchema), ...page });
export type DocumentList = z.infer<typeof documentListSchema>;

export const agentProfileSchema = component('AgentProfileResponse', {
  agent_id: z.string(),
  personality: personalitySchema,
  background: z.string(),
});
export type AgentProfile = z.infer<typeof agentProfileSchema>;

export const agentListItemSchema = agentProfileSchema
  .extend({
    created_at: timestamp.nullable(),
    updated_at: timestamp.nullable().meta({ description: 'When anything of the agent last changed' }),
    memory_unit_count: z.int().optional().meta({ description: 'Only with `counts=true`' }),
    document_count: z.int().optional().meta({ description: 'Only with `counts=true`' }),
  })
  .meta({ id: 'AgentListItem' });
export type AgentListItem = z.infer<typeof agentListItemSchema>;

export const agentListSchema = component('AgentListResponse', {
  agents: z.array(agentListItemSchema),
  total: z.int().meta({ description: 'Number of agents on all pages' }),
  next_cursor: z
    .string()
    .nullable()
    .meta({ description: 'Send it as `cursor` to get the next page; null on the last page' }),
});
export type AgentList = z.infer<typeof agentListSchema>;

const counts = z.record(z.string(), z.int());
export const statsSchema = component('StatsResponse', {
  agent_id: z.string(),
  total_nodes: z.int(),
  total_links: z.int(),
  total_documents: z.int(),
  nodes_by_type: counts,
  links_by_type: counts,
  pending_operations: z.int(),
  failed_operations: z.int(),
});
export type Stats = z.infer<typeof statsSchema>;

export const listedOperationSchema = component('ListedOperation', {
  id: z.string(),
  task_type: z.literal('batch_put'),
  items_count: z.int(),
  document_id: z.string().nullable(),
  created_at: timestamp,
  status: z.enum(['pending', 'failed']),
  error_message: z.string().nullable(),
  attempts: z.int(),
});
export const operationListSchema = component('OperationListResponse', {
  agent_id: z.string(),
  operations: z.array(listedOperationSchema),
});
export type OperationList = z.infer<typeof operationListSchema>;

export const operationStatuses = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const;
export const operationStatusSchema = component('OperationStatusResponse', {
  id: z.string(),
  agent_id: z.string(),
  status: z.enum(operationStatuses),
  items_count: z.int(),
  units_created: z.int(),
  error_message: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});
export type OperationStatus = z.infer<typeof operationStatusSchema>;

const stored = {
  success: z.boolean(),
  message: z.string(),
  agent_id: z.string(),
  document_id: z.string().nullable(),
  items_count: z.int().meta({ description: 'Number of items in the batch' }),
  operation_id: z.string().meta({ description: 'Poll `/api/operations/{id}/status` with it', format: 'uuid' }),
};

/** A memory unit as the reply to a batch shows it. */
export const createdUnitSchema = component('CreatedMemoryUnit', {
  id: z.string(),
  text: z.string().meta({ description: 'Cut and ending in `…` if the response would become too large' }),
  type: factTypeSchema,
});

/** One entry per item of the batch. */
export const itemUnitsSchema = z.array(component('StoredItem', { units: z.array(createdUnitSchema) }));
export type ItemUnits = z.infer<typeof itemUnitsSchema>;

export const batchPutReplySchema = component('BatchPutResponse', {
  ...stored,
  items: itemUnitsSchema.meta({
    description:
      'The new memory units of each item, in the order of the items. A fact that only repeats a stored one has none.',
  }),
});
export type BatchPutReply = z.infer<typeof batchPutReplySchema>;

export const batchPutAsyncReplySchema = component('BatchPutAsyncResponse', {
  ...stored,
  queued: z.boolean(),
});
export type BatchPutAsyncReply = z.infer<typeof batchPutAsyncReplySchema>;

export const operationCancelledSchema = component('CancelOperationResponse', {
  success: z.boolean(),
  message: z.string(),
  operation_id: z.string(),
  agent_id: z.string(),
});

export const unitDeletedSchema = component('DeleteMemoryUnitResponse', {
  success: z.boolean(),
  unit_id: z.string(),
  message: z.string(),
});

export const unitCorrectedSchema = component('CorrectMemoryUnitResponse', {
  success: z.boolean(),
  unit_id: z.string(),
  agent_id: z.string(),
  text: z.string(),
  message: z.string(),
});

export const agentErasedSchema = component('EraseAgentResponse', {
  success: z.boolean(),
  agent_id: z.string(),
  message: z.string(),
  memory_units_deleted: z.int(),
  links_deleted: z.int(),
  documents_deleted: z.int(),
  operations_deleted: z.int().meta({ description: 'Batches in any state' }),
  events_erased: z.int().meta({ description: 'Messages overwritten in the event log' }),
});

export const documentDeletedSchema = component('DeleteDocumentResponse', {
  success: z.boolean(),
  document_id: z.string(),
  agent_id: z.string(),
  memory_units_deleted: z.int(),
  message: z.string(),
});

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
  color: z.string().meta({
    description: '`#4e79a7` for world, `#59a14f` for agent and `#e15759` for opinion units',
    example: '#4e79a7',
  }),
};

const graphNodeSchema = component('GraphNode', {
  ...nodeFields,
  data: z.object(nodeFields).meta({ description: 'Same values in the format of Cytoscape' }),
});

const edgeStyle = {
  color: z.string().meta({
    description: '`#00bcd4` for temporal, `#ff69b4` for semantic and `#ffd700` for entity links',
    example: '#00bcd4',
  }),
  lineStyle: z.enum(['solid', 'dashed']).meta({ description: '`dashed` for temporal links, otherwise `solid`' }),
};

const graphEdgeSchema = component('GraphEdge', {
  from: z.string(),
  to: z.string(),
  type: z.string().meta({ description: '`temporal`, `semantic` or `entity`' }),
  weight: z.number().meta({ description: '0 to 1' }),
  ...edgeStyle,
  data: z.object({
    id: z.string(),
    source: z.string(),
    target: z.string(),
    linkType: z.string(),
    weight: z.number(),
    entityName: z.string().nullable(),
    ...edgeStyle,
  }),
});

export const graphSchema = component('GraphResponse', {
  nodes: z.array(graphNodeSchema),
  edges: z.array(graphEdgeSchema),
  table_rows: z.array(component('GraphTableRow', shown)),
  total_units: z.int().meta({ description: 'Number of matching units, including those not shown' }),
});
export type Graph = z.infer<typeof graphSchema>;
