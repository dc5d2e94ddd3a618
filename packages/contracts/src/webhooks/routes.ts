import { z } from 'zod';
import { idInUrl } from '../access/fields.ts';
import { page, queryInteger } from '../http/fields.ts';
import { routesOf } from '../http/route.ts';
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
import { createWebhookSchema, replayDeliveriesSchema, testWebhookSchema, updateWebhookSchema } from './requests.ts';
import { deliveryStatusSchema } from './schemas.ts';
import { earlyEnd, projectPath, tableNotFound, tablePath } from './table-routes.ts';

const webhooks = routesOf('Webhooks', 'user');
const intake = routesOf('Webhooks', 'anyone');
const tables = routesOf('Tables', 'user');
const webhookPath = z.object({ id: idInUrl });
const logPath = z.object({ id: idInUrl, logId: idInUrl });
const notFound = { 404: 'Webhook not found: no such webhook, or you may not manage it' };

/**
 * Webhooks and their deliveries. The names of the routes are the `operationId`s of the OpenAPI document, which clients are
 * generated from, so some of them still say `Call`.
 */
export const webhookRoutes = {
  listWebhooks: webhooks.get('/api/v3/projects/{projectId}/webhooks', {
    summary: 'List the webhooks of a project',
    description:
      'The newest first, each with its 5 newest deliveries, or fewer if their payloads had more than 8 MiB together.',
    pathParameters: projectPath,
    reply: z.array(listedWebhookSchema),
    refusals: { 404: 'Project not found', 413: 'The webhooks have more than 16 MiB; read each by its id' },
  }),
  createWebhook: webhooks.post('/api/v3/projects/{projectId}/webhooks', {
    summary: 'Create a webhook',
    description: 'The reply has the URL that other systems send JSON to.',
    pathParameters: projectPath,
    body: createWebhookSchema,
    reply: createdWebhookSchema,
    successStatus: 201,
    refusals: {
      404: 'Project not found, or Table not found',
      409: 'You have as many webhooks as one user may have, or the project as many tables (`ITEMS_PER_USER`)',
    },
  }),
  getWebhook: webhooks.get('/api/v3/webhooks/{id}', {
    summary: 'Read a webhook',
    pathParameters: webhookPath,
    reply: webhookSchema,
    refusals: notFound,
  }),
  testWebhook: webhooks.post('/api/v3/webhooks/{id}/test', {
    summary: 'Send a test delivery to a webhook',
    description:
      'Records a delivery with the given payload, byte for byte, or an example, as if a sender had sent it: it is logged, ' +
      'becomes a row and appears in the stream, with `test` as `source_ip`. No signature is needed.',
    pathParameters: webhookPath,
    body: testWebhookSchema.optional(),
    reply: messageSchema,
    refusals: {
      ...notFound,
      409: 'The webhook is inactive, or its token cannot be decrypted',
      429: 'The webhook receives too many requests per second',
    },
  }),
  updateWebhook: webhooks.patch('/api/v3/webhooks/{id}', {
    summary: 'Change a webhook',
    description: 'Takes effect with the next delivery.',
    pathParameters: webhookPath,
    body: updateWebhookSchema,
    reply: webhookSchema,
    refusals: { ...notFound, 409: 'The webhook was changed concurrently; try again' },
  }),
  deleteWebhook: webhooks.delete('/api/v3/webhooks/{id}', {
    summary: 'Delete a webhook with its logs',
    description: 'Its payloads are erased from the event log too. Rows that they became stay in their table.',
    pathParameters: webhookPath,
    reply: messageSchema,
    refusals: notFound,
  }),
  listCalls: webhooks.get('/api/v3/webhooks/{id}/logs', {
    summary: 'List the deliveries of a webhook',
    description: `The newest first. Waits until the deliveries that had been received are processed. ${earlyEnd}`,
    pathParameters: webhookPath,
    query: z.object({
      limit: queryInteger({ min: 1, max: 1_000, default: 50, description: 'Maximum number of deliveries' }),
      offset: page.offset,
      status: deliveryStatusSchema.optional().meta({ description: 'Only deliveries of this status; all by default' }),
    }),
    reply: deliveryListSchema,
    refusals: notFound,
  }),
  replayCall: webhooks.post('/api/v3/webhooks/{id}/logs/{logId}/replay', {
    summary: 'Replay a delivery',
    description:
      'Processes it again: its row is replaced. The reply is the delivery with its new status. It is not kept for the ' +
      '`Idempotency-Key`: a repeated request is not executed again, and returns the delivery as it is then.',
    pathParameters: logPath,
    reply: deliverySchema,
    refusals: { 404: 'Webhook not found, or Webhook log not found' },
  }),
  replayCalls: webhooks.post('/api/v3/webhooks/{id}/replay', {
    summary: 'Replay many deliveries',
    description:
      'Processes all deliveries of a status since a time again, in the background. Those of a webhook without a table are ' +
      'only stored, and none is replayed. A webhook has one replay at a time: while an earlier one is not done, another one is ' +
      'refused, unless `replace` is true.',
    pathParameters: webhookPath,
    body: replayDeliveriesSchema,
    reply: replaySchema,
    refusals: { ...notFound, 409: 'An earlier replay of this webhook is not done' },
  }),
  replayProgress: webhooks.get('/api/v3/webhooks/{id}/replay', {
    summary: 'Read the progress of the newest replay',
    pathParameters: webhookPath,
    reply: replaySchema,
    refusals: notFound,
  }),
} as const;

const senderDeliveryId =
  "The sender's id of the delivery: a webhook that deduplicates records the same id once within 24 h";

/** The route that other systems send deliveries to. */
export const webhookIntake = {
  receiveCall: intake.post('/api/webhooks/incoming/{token}', {
    summary: 'Receive a delivery',
    description:
      'Any content type is read as JSON in UTF-8, also compressed (gzip, deflate, br). The reply is sent once the delivery is durably recorded.',
    pathParameters: z.object({
      token: z.string().meta({
        description: 'Anyone who knows it can send deliveries',
        example: 'abcdefghijklmnopqrstuvwxyz012345',
      }),
    }),
    headers: {
      'webhook-id': senderDeliveryId,
      'X-GitHub-Delivery': senderDeliveryId,
      'Idempotency-Key': senderDeliveryId,
    },
    body: z.unknown().meta({ description: 'Any JSON', example: { order: { id: 1, total: 9.5 } } }),
    reply: messageSchema,
    isWrite: true,
    isIntake: true,
    refusals: {
      400: 'The body is not JSON in UTF-8; nothing is recorded',
      401: 'The signature that the webhook requires is missing or wrong; nothing is recorded',
      404: 'Webhook not found or inactive',
      413: 'The body is larger than `WEBHOOK_BODY_LIMIT`, 1 MiB by default',
      415: 'The content encoding is unknown',
      429: 'The webhook receives more requests per second than `WEBHOOK_RATE_LIMIT`; send it again after `Retry-After` seconds',
      500: 'Internal error',
      503: 'The delivery could not be recorded; send it again after `Retry-After` seconds',
    },
  }),
} as const;

const tooMany = { 429: 'You have too many streams open' };

/** Routes whose replies are streamed. */
export const webhookStreams = {
  streamCalls: webhooks.get('/api/v3/webhooks/{id}/logs/stream', {
    summary: 'Stream the deliveries of a webhook',
    description:
      'Server-sent events, one per delivery: `id` is its id, `data` the delivery as in the list. Starts with the next delivery, or after the one that `Last-Event-ID` names. While none comes, an `id` without `data` is sent every 15 s or so, to resume from if the connection breaks.',
    pathParameters: webhookPath,
    headers: {
      'Last-Event-ID':
        'The id of the last delivery that was received; 0: all deliveries. Beyond the end of the log: 400',
    },
    reply: z.string().meta({ description: 'Events, and comments while there are none' }),
    replyType: 'text/event-stream',
    refusals: { ...notFound, ...tooMany },
  }),
  exportCsv: tables.get('/api/v3/tables/{id}/rows.csv', {
    summary: 'Export a table as CSV',
    description:
      'A line of column names, then all rows that had been received when it began, the oldest first. Text that a spreadsheet would run as a formula gets an apostrophe in front. An incomplete export ends with a connection error.',
    pathParameters: tablePath,
    reply: z.string(),
    replyType: 'text/csv',
    isFile: true,
    refusals: { ...tableNotFound, ...tooMany },
  }),
  exportJson: tables.get('/api/v3/tables/{id}/rows.json', {
    summary: 'Export a table as JSON',
    description:
      'All rows that had been received when it began, the oldest first. An incomplete export ends with a connection error.',
    pathParameters: tablePath,
    reply: z.array(rowSchema),
    isFile: true,
    refusals: { ...tableNotFound, ...tooMany },
  }),
} as const;
