import { z } from 'zod';
import { component } from '../http/component.ts';
import {
  agentId,
  defaultAgent,
  dotSegmentFault,
  integer,
  isDotSegment,
  maxBackgroundBytes,
  maxQueryBytes,
  maxThinkingBudget,
  newAgentId,
  text,
  textOfBytes,
} from '../http/fields.ts';
import { routesOf } from '../http/route.ts';
import { metadataSchema } from './metadata.ts';
import { factTypeSchema, personalitySchema } from './schemas.ts';
import { isSpan, questionDate, recallFilters, spanFault } from './searching.ts';

/** The longest `context` of a question, in UTF-16 code units. */
const maxThoughtContextLength = 100_000;

const thinkSchema = z
  .object({
    query: textOfBytes(maxQueryBytes).meta({
      description: 'The question, at most 8 KiB in UTF-8',
      example: 'Would Ana like a boat trip?',
    }),
    agent_id: agentId.default('default').meta({ description: defaultAgent }),
    thinking_budget: integer()
      .min(1)
      .max(maxThinkingBudget)
      .default(50)
      .meta({ description: 'Maximum number of memory units to visit for each fact type' }),
    context: text
      .max(maxThoughtContextLength)
      .nullish()
      .meta({ description: 'Additional information for this answer' }),
    store: z.boolean().default(true).meta({ description: 'False: the answer and its opinions are not stored' }),
    question_date: questionDate,
    ...recallFilters,
  })
  .refine(isSpan, spanFault)
  .refine(({ store, agent_id }) => !store || !isDotSegment(agent_id), { ...dotSegmentFault, path: ['agent_id'] })
  .meta({ id: 'ThinkRequest' });
export type ThinkRequest = z.output<typeof thinkSchema>;

export const thinkFactSchema = component('ThinkFact', {
  id: z.string().nullable(),
  text: z.string(),
  type: factTypeSchema.nullable(),
  activation: z.number().nullable().meta({ description: '0 to 1' }),
  context: z.string().nullable(),
  event_date: z.string().nullable().meta({ format: 'date-time' }),
  metadata: metadataSchema.optional(),
});
export type ThinkFactReply = z.infer<typeof thinkFactSchema>;

const thinkReplySchema = component('ThinkResponse', {
  text: z.string().meta({ description: 'The answer, in plain text' }),
  based_on: z
    .array(thinkFactSchema)
    .meta({ description: 'The facts given to the model, ordered by type: world, agent, opinion' }),
  new_opinions: z.array(z.string()).meta({ description: 'New opinions of the agent; they are stored and searchable' }),
});
export type ThinkReply = z.infer<typeof thinkReplySchema>;

const addBackgroundSchema = component('AddBackgroundRequest', {
  content: textOfBytes(maxBackgroundBytes).meta({
    description:
      'Text to add, at most 64 KiB in UTF-8, which is also the limit of the merged text. It overrides contradicting statements of the present background.',
    example: 'I was born in Texas.',
  }),
  update_personality: z
    .boolean()
    .default(true)
    .meta({ description: 'Infer the Big Five traits from the merged background; the bias strength is kept' }),
  preview: z.boolean().default(false).meta({
    description: 'Only return the result, and store nothing. To keep it, send it to `PUT /api/agents/{agent_id}`',
  }),
});

const backgroundReplySchema = component('BackgroundResponse', {
  background: z.string().meta({ description: 'The merged background, in the first person' }),
  personality: personalitySchema.nullable().meta({ description: 'Null if `update_personality` is false' }),
});
export type BackgroundReply = z.infer<typeof backgroundReplySchema>;

const recall = routesOf('Recall');
const agents = routesOf('Agents');

const ofModels = {
  500: 'The model refused, or returned nothing usable; the message says what to do',
  503: 'The model or a store is unavailable; retry after `Retry-After` seconds',
  504: 'The model took too long',
};

/** The routes that use a language model to answer, or to write a background. */
export const thoughtRoutes = {
  think: recall.post('/api/think', {
    summary: 'Answer a question as the agent',
    description:
      'Answers from the experiences, world facts and opinions of the agent, influenced by its personality. New opinions ' +
      'in the answer are stored and are searchable when the response arrives, unless `store` is false.',
    body: thinkSchema,
    reply: thinkReplySchema,
    isRead: true,
    // With a key that may only read, new opinions are not stored.
    scope: 'memory:read',
    refusals: { 400: '`question_date` is not a date', ...ofModels },
  }),
  addBackground: agents.post('/api/agents/{agent_id}/background', {
    summary: 'Add to the background of an agent',
    description:
      'Merges the addition into the background and rewrites it in the first person. Creates the agent if it does not ' +
      'exist. If the traits cannot be inferred from the background, they are kept. With `preview` nothing is stored.',
    pathParameters: z.object({ agent_id: newAgentId }),
    body: addBackgroundSchema,
    reply: backgroundReplySchema,
    refusals: { 409: 'Concurrent changes of the agent conflicted repeatedly', ...ofModels },
  }),
} as const;
