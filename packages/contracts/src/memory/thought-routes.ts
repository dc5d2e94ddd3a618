import { z } from 'zod';
import { agentId } from '../http/fields.ts';
import { defineRoute } from '../http/route.ts';
import { addBackgroundSchema, backgroundReplySchema, thinkReplySchema, thinkSchema } from './thinking.ts';

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
