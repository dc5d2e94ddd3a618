import { z } from 'zod';
import {
  agentId,
  defaultAgent,
  integer,
  maxBackgroundBytes,
  maxQueryBytes,
  maxThinkingBudget,
  text,
  textOfBytes,
} from '../http/fields.ts';
import { defineRoute } from '../http/route.ts';
import { factTypeSchema, personalitySchema } from './schemas.ts';

/** The longest text that may be said along with a question, in UTF-16 code units. */
export const maxThoughtContextLength = 100_000;

export const thinkSchema = z
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
      .meta({ description: 'How many memory units may be visited for each type of fact' }),
    context: text
      .max(maxThoughtContextLength)
      .nullish()
      .meta({ description: 'What else the agent should know for this answer' }),
  })
  .meta({ id: 'ThinkRequest' });
export type ThinkRequest = z.output<typeof thinkSchema>;

export const thinkFactSchema = z
  .object({
    id: z.string().nullable(),
    text: z.string(),
    type: factTypeSchema.nullable(),
    activation: z.number().nullable().meta({ description: '0 to 1' }),
    context: z.string().nullable(),
    event_date: z.string().nullable().meta({ format: 'date-time' }),
  })
  .meta({ id: 'ThinkFact' });
export type ThinkFactReply = z.infer<typeof thinkFactSchema>;

export const thinkReplySchema = z
  .object({
    text: z.string().meta({ description: 'The answer, in plain text' }),
    based_on: z
      .array(thinkFactSchema)
      .meta({ description: 'The facts that the model was given: world, agent, opinion' }),
    new_opinions: z
      .array(z.string())
      .meta({ description: 'What the agent came to believe; stored, and found by searches' }),
  })
  .meta({ id: 'ThinkResponse' });
export type ThinkReply = z.infer<typeof thinkReplySchema>;

export const addBackgroundSchema = z
  .object({
    content: textOfBytes(maxBackgroundBytes).meta({
      description:
        'What to add, at most 64 KiB in UTF-8, which the merged text may not exceed either; where it contradicts what is there, it holds',
      example: 'I was born in Texas.',
    }),
    update_personality: z
      .boolean()
      .default(true)
      .meta({ description: 'Read the Big Five out of the merged background; the bias strength stays' }),
  })
  .meta({ id: 'AddBackgroundRequest' });

export const backgroundReplySchema = z
  .object({
    background: z.string().meta({ description: 'The merged text, in the first person' }),
    personality: personalitySchema.nullable().meta({ description: 'Null when `update_personality` is false' }),
  })
  .meta({ id: 'BackgroundResponse' });
export type BackgroundReply = z.infer<typeof backgroundReplySchema>;

const ofModels = {
  500: 'The model refused, or gave nothing usable; the message says what to do',
  503: 'The model or a store cannot be had now; `Retry-After` says when to try again',
  504: 'The model took too long',
};

/** The calls in which an agent thinks, and comes to be who it is. */
export const thoughtRoutes = {
  think: defineRoute({
    method: 'post',
    path: '/api/think',
    tag: 'Recall',
    summary: 'Answer a question as the agent',
    description:
      'Answers from what the agent did, what it knows of the world and what it believes, coloured by its personality. ' +
      'New opinions in the answer are stored; they can be searched when the reply arrives.',
    body: thinkSchema,
    reply: thinkReplySchema,
    isWrite: true,
    isRead: true,
    // Of a key that may only read, what the agent comes to believe is not stored.
    scope: 'memory:read',
    refusals: ofModels,
  }),
  addBackground: defineRoute({
    method: 'post',
    path: '/api/agents/{agent_id}/background',
    tag: 'Agents',
    summary: 'Add to the background of an agent',
    description:
      'Merges the addition into the background and rewrites it in the first person. Creates the agent when it does not ' +
      'exist. When the personality cannot be read out of it, the traits stay as they were.',
    pathParameters: z.object({ agent_id: agentId }),
    body: addBackgroundSchema,
    reply: backgroundReplySchema,
    isWrite: true,
    refusals: { 409: 'The agent was changed by others at the same time, again and again', ...ofModels },
  }),
} as const;
