import { z } from 'zod';
import { component } from '../http/component.ts';
import { repliedMetadata } from './metadata.ts';
import { factTypeSchema, personalitySchema, timestampSchema } from './schemas.ts';

const page = { total: z.int(), limit: z.int(), offset: z.int() };

const listedUnitSchema = component('ListedMemoryUnit', {
  id: z.string(),
  text: z.string(),
  context: z.string().nullable(),
  date: timestampSchema,
  fact_type: factTypeSchema,
  entities: z.string().meta({ description: '`Name (TYPE), ...`' }),
  metadata: repliedMetadata,
});
export const unitListSchema = component('ListResponse', { items: z.array(listedUnitSchema), ...page });
export type UnitList = z.infer<typeof unitListSchema>;

/** The longest text of a document that is sent. */
export const maxDocumentTextMib = 6;
/** The longest text that is hashed without being sent. */
export const maxHashedTextMib = 64;

export const documentSchema = component('DocumentResponse', {
  id: z.string(),
  agent_id: z.string(),
  original_text: z.string().meta({ description: 'Empty with `text=false`' }),
  content_hash: z.string().nullable().meta({
    description: 'SHA-256 of the original text in hexadecimal; in lists null for a document that was appended to',
  }),
  created_at: timestampSchema,
  updated_at: timestampSchema,
  memory_unit_count: z.int(),
});
export type DocumentReply = z.infer<typeof documentSchema>;

const listedDocumentSchema = documentSchema
  .omit({ original_text: true })
  .extend({ text_length: z.int().meta({ description: 'Length of the original text in characters (code points)' }) })
  .meta({ id: 'ListedDocument' });
export const documentListSchema = component('ListDocumentsResponse', { items: z.array(listedDocumentSchema), ...page });
export type DocumentList = z.infer<typeof documentListSchema>;

export const agentProfileSchema = component('AgentProfileResponse', {
  agent_id: z.string(),
  personality: personalitySchema,
  background: z.string(),
});
export type AgentProfile = z.infer<typeof agentProfileSchema>;

const agentListItemSchema = agentProfileSchema
  .extend({
    created_at: timestampSchema.nullable(),
    updated_at: timestampSchema.nullable().meta({
      description: 'When its profile last changed, it was last given a batch, or it last answered a question',
    }),
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

const listedOperationSchema = component('ListedOperation', {
  id: z.string(),
  task_type: z.literal('batch_put'),
  items_count: z.int(),
  document_id: z.string().nullable(),
  created_at: timestampSchema,
  status: z.enum(['pending', 'failed']),
  error_message: z.string().nullable(),
  attempts: z.int(),
});
export const operationListSchema = component('OperationListResponse', {
  agent_id: z.string(),
  operations: z.array(listedOperationSchema),
});
export type OperationList = z.infer<typeof operationListSchema>;

const operationStatuses = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const;
export const operationStatusSchema = component('OperationStatusResponse', {
  id: z.string(),
  agent_id: z.string(),
  status: z.enum(operationStatuses),
  items_count: z.int(),
  units_created: z.int(),
  error_message: z.string().nullable(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
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
const createdUnitSchema = component('CreatedMemoryUnit', {
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
