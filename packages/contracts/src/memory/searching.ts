import { z } from 'zod';
import { component } from '../http/component.ts';
import {
  agentId,
  dateTime,
  defaultAgent,
  documentId,
  faultType,
  integer,
  maxQueryBytes,
  maxThinkingBudget,
  textOfBytes,
} from '../http/fields.ts';
import { metadataFilter, repliedMetadata } from './metadata.ts';
import { factTypeSchema, factTypes, rerankers, timestampSchema } from './schemas.ts';

// Requests and replies of a search.

/** The most agents that one search may cover. */
const maxSearchedAgents = 8;
/** The most results that a caller may ask for with `limit`. */
const maxSearchLimit = 1_000;

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

/** ISO 8601; an offset says where the question is asked. */
export const questionDate = z
  .string()
  .nullable()
  .default(null)
  .meta({ description: 'When the question is asked. Default: now.', example: '2024-03-05' });

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
          '`thinking_budget`, up to 10,000 units together; the best of all are returned, with their `agent_id`. ' +
          'The response is not kept for an `Idempotency-Key`.',
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
    question_date: questionDate,
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
  .overwrite((search) => (search.agent_ids ? search : { agent_id: 'default', ...search }))
  .meta({ id: 'SearchRequest' });
export type SearchRequest = z.output<typeof searchSchema>;

const searchResultSchema = component('SearchResult', {
  id: z.string(),
  text: z.string(),
  type: factTypeSchema.nullable(),
  activation: z.number().nullable().meta({ description: '0 to 1' }),
  context: z.string().nullable().meta({
    description: 'Cut to 2000 characters and an ellipsis; to fewer if there are more than 500 results',
  }),
  event_date: timestampSchema.nullable(),
  score: z.number().meta({ description: '0 to 1; results are sorted by it' }),
  relevance: z.enum(['high', 'low']).optional().meta({
    description:
      '`low` if the text itself has little to do with the question, does not answer a question before it that has, and was found by what stands around it, or if it has another number in the place of one that the question names ("SUP-1101" instead of "SUP-1205") and answers no question about that one',
  }),
  document_id: z.string().nullable(),
  entities: z.string().meta({ description: '`Name (TYPE), ...`' }),
  metadata: repliedMetadata,
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

const searchTraceSchema = z
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
