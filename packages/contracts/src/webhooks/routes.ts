import { z } from 'zod';
import { numberInUrl } from '../access/fields.ts';
import { page, queryInteger } from '../http/fields.ts';
import { defineRoute } from '../http/route.ts';
import {
  createdWebhookSchema,
  deliveryListSchema,
  deliverySchema,
  listedWebhookSchema,
  messageSchema,
  replaySchema,
  webhookSchema,
} from './replies.ts';
import { createWebhookSchema, replayDeliveriesSchema, updateWebhookSchema } from './requests.ts';

const tag = 'Webhooks';
const audience = 'user';
const projectPath = z.object({ projectId: numberInUrl });
const webhookPath = z.object({ id: numberInUrl });
const callPath = z.object({ id: numberInUrl, logId: numberInUrl });
const notFound = { 404: 'Webhook not found: there is none of this id, or not for you' };

/** Webhooks and the calls that they received. The incoming call and the live stream are beside this table. */
export const webhookRoutes = {
  listWebhooks: defineRoute({
    method: 'get',
    path: '/api/v3/projects/{projectId}/webhooks',
    tag,
    summary: 'List the webhooks of a project',
    description: 'The newest first, each with its 5 newest calls.',
    pathParameters: projectPath,
    reply: z.array(listedWebhookSchema),
    isRead: true,
    audience,
    refusals: { 404: 'Project not found' },
  }),
  createWebhook: defineRoute({
    method: 'post',
    path: '/api/v3/projects/{projectId}/webhooks',
    tag,
    summary: 'Create a webhook',
    description: 'The answer has the address that outside systems send JSON to.',
    pathParameters: projectPath,
    body: createWebhookSchema,
    reply: createdWebhookSchema,
    successStatus: 201,
    isWrite: true,
    audience,
    refusals: { 404: 'Project not found, or Table not found' },
  }),
  updateWebhook: defineRoute({
    method: 'patch',
    path: '/api/v3/webhooks/{id}',
    tag,
    summary: 'Change a webhook',
    description: 'Holds from the next call.',
    pathParameters: webhookPath,
    body: updateWebhookSchema,
    reply: webhookSchema,
    isWrite: true,
    audience,
    refusals: { ...notFound, 409: 'The webhook was changed by others at the same time, again and again' },
  }),
  deleteWebhook: defineRoute({
    method: 'delete',
    path: '/api/v3/webhooks/{id}',
    tag,
    summary: 'Delete a webhook with its logs',
    description: 'The payloads go from the event log too. Rows that became of them stay in their table.',
    pathParameters: webhookPath,
    reply: messageSchema,
    isWrite: true,
    audience,
    refusals: notFound,
  }),
  listCalls: defineRoute({
    method: 'get',
    path: '/api/v3/webhooks/{id}/logs',
    tag,
    summary: 'List the calls of a webhook',
    description: 'The newest first. Waits for what had been received when it was asked.',
    pathParameters: webhookPath,
    query: z.object({
      limit: queryInteger({ min: 1, max: 1_000, default: 50, description: 'How many calls at most' }),
      offset: page.offset,
    }),
    reply: deliveryListSchema,
    isRead: true,
    audience,
    refusals: notFound,
  }),
  replayCall: defineRoute({
    method: 'post',
    path: '/api/v3/webhooks/{id}/logs/{logId}/replay',
    tag,
    summary: 'Work off a call once more',
    description: 'Its status follows, and its row is replaced. The answer is the call as it is then.',
    pathParameters: callPath,
    reply: deliverySchema,
    isWrite: true,
    audience,
    refusals: { 404: 'Webhook not found, or Webhook log not found' },
  }),
  replayCalls: defineRoute({
    method: 'post',
    path: '/api/v3/webhooks/{id}/replay',
    tag,
    summary: 'Work off many calls once more',
    description: 'Those of a status since a time, at once in the background.',
    pathParameters: webhookPath,
    body: replayDeliveriesSchema,
    reply: replaySchema,
    isWrite: true,
    audience,
    refusals: notFound,
  }),
  replayProgress: defineRoute({
    method: 'get',
    path: '/api/v3/webhooks/{id}/replay',
    tag,
    summary: 'Say how far the newest replay is',
    pathParameters: webhookPath,
    reply: replaySchema,
    isRead: true,
    audience,
    refusals: notFound,
  }),
} as const;
