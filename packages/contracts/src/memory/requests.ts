import { z } from 'zod';
import { component } from '../http/component.ts';
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
import { metadata, metadataFilter } from './metadata.ts';
import {
  documentModes,
  factTypeSchema,
  factTypes,
  itemRoles,
  linkTypeSchema,
  maxBatchItems,
  personalitySchema,
  rerankers,
} from './schemas.ts';

const contentSchema = text
  .refine((value) => value.trim() !== '', {
    error: 'Value error, content must have a non-blank character',
    ...faultType('value_error'),
  })
  .meta({ description: 'Text to remember, as plain text', example: 'Ana moved to Lisbon last month.' });

export const memoryItemSchema = component('MemoryItem', {
  content: contentSchema,
  event_date: dateTime.nullish().meta({
    description:
      'When it was said or happened; relative dates in the text, such as "yesterday", are counted from it. Default: now.',
    example: '2024-03-01T09:30:00+01:00',
  }),
  context: textOfBytes(maxContextBytes)
    .nullish()
    .meta({ description: 'Origin of the item, at most 16 KiB in UTF-8', example: 'chat about holidays' }),
  role: z
    .enum(itemRoles)
    .nullish()
    .meta({
      description:
        'Who says it. Only what the `assistant` says can become experiences (`agent`) and opinions of the agent. Default: ' +
        'the text decides, by prefixes such as `assistant:`.',
    }),
  metadata: metadata.nullish(),
  extract: z
    .boolean()
    .default(true)
    .meta({
      description:
        'False: no memory units are made of the item, and only the text of its document has it. For data that a program ' +
        'reads back, such as JSON.',
    }),
});

export const batchPutSchema = z
  .object({
    agent_id: agentId,
    items: z.array(memoryItemSchema).max(maxBatchItems),
    document_id: documentId.nullish().meta({ description: 'Document made up of the items. See `mode`.' }),
    mode: z
      .enum(documentModes)
      .default('replace')
      .meta({
        description:
          '`replace`: the items are the new version of the document. `append`: the items are added at its end, in the order ' +
          'in which batches are accepted, and what it has stays; a document that does not exist is created.',
      }),
  })
  .refine(({ mode, document_id }) => mode !== 'append' || typeof document_id === 'string', {
    error: "Mode 'append' needs a document_id: name the document to which the items are added",
    path: ['mode'],
    ...faultType('value_error'),
  })
  .meta({ id: 'BatchPutRequest' });
export type BatchPut = z.output<typeof batchPutSchema>;

/** The longest text that a unit can be corrected to, in bytes of UTF-8: a unit is one fact. */
export const maxUnitTextBytes = 8 * 1_024;

export const correctUnitSchema = component('CorrectMemoryUnitRequest', {
  text: textOfBytes(maxUnitTextBytes)
    .refine((value) => value.trim() !== '', {
      error: 'Value error, text must have a non-blank character',
      ...faultType('value_error'),
    })
    .meta({ description: 'The correct text, at most 8 KiB in UTF-8', example: 'Ana moved to Porto.' }),
  expected_text: text.nullish().meta({
    description:
      'The text that the unit has now. If it has another one, the response is 409 and nothing changes. Default: any.',
    example: 'Ana moved to Lisbon.',
  }),
});

/** The most agents that one search may cover. */
export const maxSearchedAgents = 8;
/** The most results that a caller may ask for with `limit`. */
export const maxSearchLimit = 1_000;

/** Which memory units a search or a question is about. */
export const recallFilters = {
  document_id: documentId.nullish().meta({ description: 'Only memory units of this document' }),
  since: dateTime.nullish().meta({
    description: 'Only memory units with this `event_date` or a later one',
    example: '2024-03-01T00:00:00Z',
  }),
  until: dateTime.nullish().meta({
    description: 'Only memory units with an earlier `event_date`',
    example: '2024-04-01T00:00:00Z',
  }),
  metadata: metadataFilter.nullish(),
};

/** Refuses a span of time that contains nothing. */
export const spanFault = {
  error: '`until` should be later than `since`',
  path: ['until'],
  ...faultType('value_error'),
};
export function isSpan({ since, until }: { since?: string | null | undefined; until?: string | null | undefined }) {
  return !since || !until || Date.parse(since) < Date.parse(until);
}

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
    types: z
      .array(factTypeSchema)
      .max(factTypes.length)
      .nullish()
      .meta({ description: 'Another name of `fact_type`; send one of them', example: ['world'] }),
    agent_id: agentId.optional().meta({ description: defaultAgent, default: 'default' }),
    agent_ids: z
      .array(agentId)
      .min(1)
      .max(maxSearchedAgents)
      .nullish()
      .meta({
        description:
          'Search several agents of the space, at most 8, instead of `agent_id`. Each is searched with the whole ' +
          '`thinking_budget`, up to 10,000 units together; the best of all are returned, with their `agent_id`.',
        example: ['travel-assistant', 'booking-assistant'],
      }),
    limit: integer().min(1).max(maxSearchLimit).nullish().meta({ description: 'Maximum number of results' }),
    ...recallFilters,
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
    min_score: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .default(null)
      .meta({
        description:
          'Only results with at least this `score`; 0 for everything that the budgets allow. Default: what the question ' +
          'deserves, which is little or nothing if nothing stored has to do with it.',
      }),
    trace: z.boolean().default(false).meta({ description: 'Include a trace of how the results were found' }),
    question_date: z
      .string()
      .nullable()
      .default(null)
      .meta({ description: 'When the question is asked. Default: now.', example: '2024-03-05' }),
  })
  .refine(isSpan, spanFault)
  .refine(({ agent_id, agent_ids }) => agent_id === undefined || !agent_ids, {
    error: 'Send either agent_id or agent_ids',
    path: ['agent_ids'],
    ...faultType('value_error'),
  })
  .refine(({ fact_type, types }) => fact_type === null || !types, {
    error: 'Send either fact_type or types, which mean the same',
    path: ['types'],
    ...faultType('value_error'),
  })
  .meta({ id: 'SearchRequest' });
export type SearchRequest = z.output<typeof searchSchema>;

export const putProfileSchema = component('UpdatePersonalityRequest', { personality: personalitySchema });

export const putAgentSchema = component('CreateAgentRequest', {
  personality: personalitySchema.nullish().meta({ description: 'Kept if null or omitted' }),
  background: textOfBytes(maxBackgroundBytes)
    .nullish()
    .meta({ description: 'Description of the agent, at most 64 KiB in UTF-8. Kept if null or omitted.' }),
});

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
  document_id: documentId.optional().meta({ description: 'Only units of this document, in their order in it' }),
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
/** The same where the units of each are counted. */
export const maxCountedAgents = 100;

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
  q: text
    .max(2 * maxAgentIdLength)
    .optional()
    .meta({ description: 'Only agents whose `agent_id` contains this text, ignoring case' }),
  counts: z
    .string()
    .refine((value) => value === 'true' || value === 'false', {
      error: 'Input should be true or false',
      ...faultType('bool_parsing'),
    })
    .default('false')
    .transform((value) => value === 'true')
    .meta({
      description: `Whether to count the memory units and documents of each agent; a page then has at most ${maxCountedAgents} agents`,
      override: { type: 'boolean', default: false },
    }),
});

/** The most nodes and edges of a graph. */
export const maxGraphNodes = 1_000;
export const maxGraphEdges = 5_000;

export const graphQuery = z
  .object({
    agent_id: agentId.optional().meta({ description: 'Only this agent. Default: all agents.' }),
    fact_type: factTypeSchema.optional().meta({ description: 'Only units of this type' }),
    limit: queryInteger({
      min: 1,
      max: maxGraphNodes,
      default: maxGraphNodes,
      description: 'Maximum number of nodes, those with the newest `date`',
    }),
    edge_limit: queryInteger({
      min: 0,
      max: maxGraphEdges,
      default: maxGraphEdges,
      description: 'Maximum number of edges, the strongest',
    }),
    link_type: linkTypeSchema.optional().meta({ description: 'Only links of this kind' }),
    since: dateTime.optional().meta({ description: 'Only units with this `date` or a later one' }),
    until: dateTime.optional().meta({ description: 'Only units with an earlier `date`' }),
    entity: text.max(1_000).optional().meta({
      description: 'Only units that mention the entity of this name, as `entities` shows it',
      example: 'Ana',
    }),
    document_id: documentId.optional().meta({ description: 'Only units of this document' }),
  })
  .refine(isSpan, spanFault);
