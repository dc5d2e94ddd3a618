import { z } from 'zod';
import { idInUrl } from '../access/fields.ts';
import { page, queryInteger } from '../http/fields.ts';
import { defineRoute } from '../http/route.ts';
import {
  createdWebhookSchema,
  deliveryListSchema,
  deliverySchema,
  listedWebhookSchema,
  messageSchema,
  replaySchema,
  rowSchema,
  webhookSchema,
} from './replies.ts';
import { createWebhookSchema, replayDeliveriesSchema, updateWebhookSchema } from './requests.ts';

const tag = 'Webhooks';
const audience = 'user';
const projectPath = z.object({ projectId: idInUrl });
const webhookPath = z.object({ id: idInUrl });
const logPath = z.object({ id: idInUrl, logId: idInUrl });
const notFound = { 404: 'Webhook not found: no such webhook, or you may not manage it' };

/**
 * Webhooks and their deliveries. The names of the routes are the `operationId`s of the OpenAPI document, which clients are
 * generated from, so some of them still say `Call`.
 */
export const webhookRoutes = {
  listWebhooks: defineRoute({
    method: 'get',
    path: '/api/v3/projects/{projectId}/webhooks',
    tag,
    summary: 'List the webhooks of a project',
    description: 'The newest first, each with its 5 newest deliveries.',
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
    description: 'The reply has the URL that other systems send JSON to.',
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
    description: 'Holds from the next delivery on.',
    pathParameters: webhookPath,
    body: updateWebhookSchema,
    reply: webhookSchema,
    isWrite: true,
    audience,
    refusals: { ...notFound, 409: 'The webhook was changed concurrently; try again' },
  }),
  deleteWebhook: defineRoute({
    method: 'delete',
    path: '/api/v3/webhooks/{id}',
    tag,
    summary: 'Delete a webhook with its logs',
    description: 'Its payloads are erased from the event log too. Rows that they became stay in their table.',
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
    summary: 'List the deliveries of a webhook',
    description: 'The newest first. Waits until the deliveries that had been received are processed.',
    pathParameters: webhookPath,
    query: z.object({
      limit: queryInteger({ min: 1, max: 1_000, default: 50, description: 'The most deliveries' }),
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
    summary: 'Replay a delivery',
    description: 'Processes it again: its row is replaced. The reply is the delivery with its new status.',
    pathParameters: logPath,
    reply: deliverySchema,
    isWrite: true,
    audience,
    refusals: { 404: 'Webhook not found, or Webhook log not found' },
  }),
  replayCalls: defineRoute({
    method: 'post',
    path: '/api/v3/webhooks/{id}/replay',
    tag,
    summary: 'Replay many deliveries',
    description: 'Processes all deliveries of a status since a time again, in the background.',
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
    summary: 'Read the progress of the newest replay',
    pathParameters: webhookPath,
    reply: replaySchema,
    isRead: true,
    audience,
    refusals: notFound,
  }),
} as const;

const senderDeliveryId =
  "The sender's id of the delivery: a webhook that deduplicates records the same id once within 24 h";

/** The route that other systems send deliveries to. */
export const webhookIntake = {
  receiveCall: defineRoute({
    method: 'post',
    path: '/api/webhooks/incoming/{token}',
    tag,
    summary: 'Receive a delivery',
    description:
      'Any content type is read as JSON in UTF-8, also compressed (gzip, deflate, br). The reply is sent once the delivery is durably recorded.',
    pathParameters: z.object({ token: z.string().meta({ description: 'Anyone who knows it can send deliveries' }) }),
    headers: {
      'webhook-id': senderDeliveryId,
      'X-GitHub-Delivery': senderDeliveryId,
      'Idempotency-Key': senderDeliveryId,
    },
    body: z.unknown().meta({ description: 'Any JSON', example: { order: { id: 1, total: 9.5 } } }),
    reply: messageSchema,
    isWrite: true,
    audience: 'anyone',
    refusals: {
      400: 'The body is not JSON in UTF-8; nothing is recorded',
      401: 'The signature that the webhook requires is missing or wrong; nothing is recorded',
      404: 'Webhook not found or inactive',
      413: 'The body is larger than 1 MiB',
      415: 'The content encoding is unknown',
      429: 'The webhook receives more requests per second than `WEBHOOK_RATE_LIMIT`; send it again after `Retry-After` seconds',
      500: 'Internal error',
      503: 'The delivery could not be recorded; send it again after `Retry-After` seconds',
    },
  }),
} as const;

const noTable = 'Table not found: no such table, or you may not manage it';
const tablePath = z.object({ id: idInUrl });
const tooMany = { 429: 'You have too many streams open' };

/** Routes whose replies are streamed. */
export const webhookStreams = {
  streamCalls: defineRoute({
    method: 'get',
    path: '/api/v3/webhooks/{id}/logs/stream',
    tag,
    summary: 'Stream the deliveries of a webhook',
    description:
      'Server-sent events, one per delivery: `id` is its id, `data` the delivery as in the list. Starts with the next delivery, or after the one that `Last-Event-ID` names.',
    pathParameters: webhookPath,
    headers: { 'Last-Event-ID': 'The id of the last delivery that was received; 0: all deliveries' },
    reply: z.string().meta({ description: 'Events, and comments while there are none' }),
    replyType: 'text/event-stream',
    audience,
    isRead: true,
    refusals: { ...notFound, ...tooMany },
  }),
  exportCsv: defineRoute({
    method: 'get',
    path: '/api/v3/tables/{id}/rows.csv',
    tag: 'Tables',
    summary: 'Export a table as CSV',
    description:
      'A line of column names, then all rows, the oldest first. Text that a spreadsheet would run as a formula gets an apostrophe in front. An incomplete export ends with a connection error.',
    pathParameters: tablePath,
    reply: z.string(),
    replyType: 'text/csv',
    audience,
    isRead: true,
    refusals: { 404: noTable, ...tooMany },
  }),
  exportJson: defineRoute({
    method: 'get',
    path: '/api/v3/tables/{id}/rows.json',
    tag: 'Tables',
    summary: 'Export a table as JSON',
    description: 'All rows, the oldest first. An incomplete export ends with a connection error.',
    pathParameters: tablePath,
    reply: z.array(rowSchema),
    audience,
    isRead: true,
    refusals: { 404: noTable, ...tooMany },
  }),
} as const;
