import { z } from 'zod';
import {
  agentId,
  dateTime,
  defaultAgent,
  documentId,
  faultType,
  integer,
  maxAgentIdLength,
  maxBackgroundBytes,
  maxContextBytes,
  maxQueryBytes,
  maxThinkingBudget,
  page,
  queryInteger,
  text,
  textOfBytes,
} from '../http/fields.ts';
import { factTypeSchema, factTypes, personalitySchema, rerankers } from './schemas.ts';

/** The most items that one batch may have. */
export const maxBatchItems = 1_000;

const contentSchema = text
  .refine((value) => value.trim() !== '', {
    error: 'Value error, content must have a non-blank character',
    ...faultType('value_error'),
  })
  .meta({ description: 'Text to remember, as plain text', example: 'Ana moved to Lisbon last month.' });

export const memoryItemSchema = z
  .object({
    content: contentSchema,
    event_date: dateTime.nullish().meta({
      description:
        'When it was said or happened; relative dates in the text, such as "yesterday", are counted from it. Default: now.',
      example: '2024-03-01T09:30:00+01:00',
    }),
    context: textOfBytes(maxContextBytes)
      .nullish()
      .meta({ description: 'Origin of the item, at most 16 KiB in UTF-8', example: 'chat about holidays' }),
  })
  .meta({ id: 'MemoryItem' });

export const batchPutSchema = z
  .object({
    agent_id: agentId,
    items: z.array(memoryItemSchema).max(maxBatchItems),
    document_id: documentId
      .nullish()
      .meta({ description: 'Document made up of the items. Replaces an earlier version of the document.' }),
  })
  .meta({ id: 'BatchPutRequest' });
export type BatchPut = z.output<typeof batchPutSchema>;

export const searchSchema = z
  .object({
    query: textOfBytes(maxQueryBytes).meta({
      description: 'Search query, at most 8 KiB in UTF-8',
      example: 'Where does Ana live?',
    }),
    fact_type: z
      .array(z.string())
      .max(factTypes.length)
      .nullable()
      .default(null)
      .meta({
        description: 'Fact types to search: any of `world`, `agent`, `opinion`; null or `[]` for all',
        example: ['world'],
      }),
    agent_id: agentId.default('default').meta({ description: defaultAgent }),
    thinking_budget: integer()
      .min(1)
      .max(maxThinkingBudget)
      .default(100)
      .meta({ description: 'Maximum number of memory units to visit, and of results' }),
    max_tokens: integer().min(0).default(4_096).meta({
      description: 'Token budget (cl100k) for all texts; the results end before the first one that exceeds it',
    }),
    reranker: z
      .enum(rerankers)
      .default('heuristic')
      .meta({
        description:
          '`none` keeps the fused order. `cross-encoder` orders the best 100 with the rerank model at `RERANK_URL`; if ' +
          'none is configured or it fails, the heuristic order is used, and the trace has the reason.',
      }),
    trace: z.boolean().default(false).meta({ description: 'Include a trace of how the results were found' }),
    question_date: z
      .string()
      .nullable()
      .default(null)
      .meta({ description: 'When the question is asked. Default: now.', example: '2024-03-05' }),
  })
  .meta({ id: 'SearchRequest' });
export type SearchRequest = z.output<typeof searchSchema>;

export const putProfileSchema = z.object({ personality: personalitySchema }).meta({ id: 'UpdatePersonalityRequest' });

export const putAgentSchema = z
  .object({
    personality: personalitySchema.nullish().meta({ description: 'Kept if null or omitted' }),
    background: textOfBytes(maxBackgroundBytes)
      .nullish()
      .meta({ description: 'Description of the agent, at most 64 KiB in UTF-8. Kept if null or omitted.' }),
  })
  .meta({ id: 'CreateAgentRequest' });

const agentOfList = agentId
  .optional()
  .meta({ description: 'Only this agent. Default: all agents, or the agent that the key is bound to.' });
const words = text.optional();

export const listUnitsQuery = z.object({
  agent_id: agentOfList,
  fact_type: factTypeSchema.optional().meta({ description: 'Only units of this type' }),
  q: words.meta({
    description:
      'Words that the text or context must contain, ignoring case. Only the first words of a long context are searched. A `q` without a letter or digit matches nothing.',
  }),
  ...page,
});

export const listDocumentsQuery = z.object({
  agent_id: agentId,
  q: words.meta({ description: 'Part of the document id, ignoring case' }),
  ...page,
});

export const documentQuery = z.object({ agent_id: agentId });

/** The largest page of agents. */
export const maxAgentsPerPage = 1_000;

export const listAgentsQuery = z.object({
  limit: queryInteger({ min: 1, max: maxAgentsPerPage, default: 100, description: 'Maximum number of agents' }),
  cursor: z
    .string()
    .max(1_024)
    .optional()
    .meta({ description: 'The `next_cursor` of the preceding page, with the same `prefix`. Default: the first page.' }),
  prefix: text
    .max(2 * maxAgentIdLength)
    .optional()
    .meta({ description: 'Only agents whose `agent_id` starts with this text (case-sensitive)' }),
});

export const graphQuery = z.object({
  agent_id: agentId.optional().meta({ description: 'Only this agent. Default: all agents.' }),
  fact_type: factTypeSchema.optional().meta({ description: 'Only units of this type' }),
});
