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
  .meta({ description: 'What to remember, in plain text', example: 'Ana moved to Lisbon last month.' });

export const memoryItemSchema = z
  .object({
    content: contentSchema,
    event_date: dateTime.nullish().meta({
      description: 'When it was said or happened; "yesterday" in the text is taken from here. Now unless given.',
      example: '2024-03-01T09:30:00+01:00',
    }),
    context: textOfBytes(maxContextBytes)
      .nullish()
      .meta({ description: 'Where it comes from, at most 16 KiB in UTF-8', example: 'chat about holidays' }),
  })
  .meta({ id: 'MemoryItem' });

export const batchPutSchema = z
  .object({
    agent_id: agentId,
    items: z.array(memoryItemSchema).max(maxBatchItems),
    document_id: documentId
      .nullish()
      .meta({ description: 'The document that the items make up. An earlier version of it is replaced.' }),
  })
  .meta({ id: 'BatchPutRequest' });
export type BatchPut = z.output<typeof batchPutSchema>;

export const searchSchema = z
  .object({
    query: textOfBytes(maxQueryBytes).meta({
      description: 'What to look for, at most 8 KiB in UTF-8',
      example: 'Where does Ana live?',
    }),
    fact_type: z
      .array(z.string())
      .max(factTypes.length)
      .nullable()
      .default(null)
      .meta({ description: 'Any of `world`, `agent`, `opinion`; null or `[]` means all three', example: ['world'] }),
    agent_id: agentId.default('default').meta({ description: defaultAgent }),
    thinking_budget: integer()
      .min(1)
      .max(maxThinkingBudget)
      .default(100)
      .meta({ description: 'How many memory units the search may visit; there are at most as many results' }),
    max_tokens: integer()
      .min(0)
      .default(4_096)
      .meta({ description: 'Tokens (cl100k) of all texts; the results stop before the first one that does not fit' }),
    reranker: z
      .enum(rerankers)
      .default('heuristic')
      .meta({
        description:
          '`none` gives the fused order. `cross-encoder` lets the rerank model at `RERANK_URL` order the best 100; without one, or ' +
          'when it fails, the order is that of the heuristic, and the trace says why',
      }),
    trace: z.boolean().default(false).meta({ description: 'Tell how the results were found' }),
    question_date: z
      .string()
      .nullable()
      .default(null)
      .meta({ description: 'When the question is asked; now unless given', example: '2024-03-05' }),
  })
  .meta({ id: 'SearchRequest' });
export type SearchRequest = z.output<typeof searchSchema>;

export const putProfileSchema = z.object({ personality: personalitySchema }).meta({ id: 'UpdatePersonalityRequest' });

export const putAgentSchema = z
  .object({
    personality: personalitySchema.nullish().meta({ description: 'Null or left out: kept as it is' }),
    background: textOfBytes(maxBackgroundBytes)
      .nullish()
      .meta({ description: 'Who the agent is, at most 64 KiB in UTF-8. Null or left out: kept as it is' }),
  })
  .meta({ id: 'CreateAgentRequest' });

const agentOfList = agentId
  .optional()
  .meta({ description: 'Only this agent. Unless given: all agents, or the agent that the key is bound to' });
const words = text.optional();

export const listUnitsQuery = z.object({
  agent_id: agentOfList,
  fact_type: factTypeSchema.optional().meta({ description: 'Only units of this type' }),
  q: words.meta({
    description:
      'Words that text or context must have; case does not matter. Of a long context the first words count. Nothing has a `q` without a letter or digit',
  }),
  ...page,
});

export const listDocumentsQuery = z.object({
  agent_id: agentId,
  q: words.meta({ description: 'A part of the id; case does not matter' }),
  ...page,
});

export const documentQuery = z.object({ agent_id: agentId });

/** The largest page of agents. */
export const maxAgentsPerPage = 1_000;

export const listAgentsQuery = z.object({
  limit: queryInteger({ min: 1, max: maxAgentsPerPage, default: 100, description: 'How many agents at most' }),
  cursor: z
    .string()
    .max(1_024)
    .optional()
    .meta({ description: 'The `next_cursor` of the page before, with the same `prefix`; the first page unless given' }),
  prefix: text
    .max(2 * maxAgentIdLength)
    .optional()
    .meta({ description: 'Only agents whose `agent_id` begins with this text; case matters' }),
});

export const graphQuery = z.object({
  agent_id: agentId.optional().meta({ description: 'Only this agent; all agents unless given' }),
  fact_type: factTypeSchema.optional().meta({ description: 'Only units of this type' }),
});
