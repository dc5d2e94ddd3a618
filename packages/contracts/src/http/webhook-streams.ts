import { z } from 'zod';
import { numberInUrl } from '../access/fields.ts';
import { rowSchema } from '../webhooks/replies.ts';
import { defineRoute } from './route.ts';

const audience = 'user';
const noWebhook = 'Webhook not found: there is none of this id, or not for you';
const noTable = 'Table not found: there is none of this id, or not for you';
const recordPath = z.object({ id: numberInUrl });
const tooMany = { 429: 'You have too many streams open' };

/** Calls whose answers are written piece by piece. */
export const webhookStreams = {
  streamCalls: defineRoute({
    method: 'get',
    path: '/api/v3/webhooks/{id}/logs/stream',
    tag: 'Webhooks',
    summary: 'Follow the calls of a webhook',
    description:
      'Server-sent events, one per call: its number is the id, the data are the call as in the list. Starts with the next call, or after the one that `Last-Event-ID` names.',
    pathParameters: recordPath,
    headers: { 'Last-Event-ID': 'The number of the last call that was seen; 0: all calls' },
    reply: z.string().meta({ description: 'Events, and comments while there are none' }),
    replyType: 'text/event-stream',
    audience,
    isRead: true,
    refusals: { 404: noWebhook, ...tooMany },
  }),
  exportCsv: defineRoute({
    method: 'get',
    path: '/api/v3/tables/{id}/rows.csv',
    tag: 'Tables',
    summary: 'Write a table out as CSV',
    description:
      'A line of column names, then all rows, the oldest first. Text that a spreadsheet would run as a formula begins with an apostrophe.',
    pathParameters: recordPath,
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
    summary: 'Write a table out as JSON',
    description: 'All rows, the oldest first.',
    pathParameters: recordPath,
    reply: z.array(rowSchema),
    audience,
    isRead: true,
    refusals: { 404: noTable, ...tooMany },
  }),
} as const;
