import { z } from 'zod';

const stored = {
  success: z.boolean(),
  message: z.string(),
  agent_id: z.string(),
  document_id: z.string().nullable(),
  items_count: z.int().meta({ description: 'How many items were sent' }),
};

export const batchPutReplySchema = z.object(stored).meta({ id: 'BatchPutResponse' });
export type BatchPutReply = z.infer<typeof batchPutReplySchema>;

export const batchPutAsyncReplySchema = z
  .object({
    ...stored,
    queued: z.boolean(),
    operation_id: z.string().meta({ description: 'Ask `/api/operations/{id}/status` for it', format: 'uuid' }),
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
    operations_deleted: z.int().meta({ description: 'Batches, whatever had become of them' }),
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
