import { z } from 'zod';
import { messageSchema } from '../webhooks/replies.ts';
import { defineRoute } from './route.ts';

const deliveryId = 'Names the delivery: where the webhook asks for it, the same again within 24 h is recorded once';

/** The call that outside systems make. */
export const webhookIntake = {
  receiveCall: defineRoute({
    method: 'post',
    path: '/api/webhooks/incoming/{token}',
    tag: 'Webhooks',
    summary: 'Receive a call',
    description:
      'Any content type is read as JSON in UTF-8, also compressed (gzip, deflate, br). The answer comes once the call is durably recorded.',
    pathParameters: z.object({ token: z.string().meta({ description: 'To know it is to be allowed to call' }) }),
    headers: { 'webhook-id': deliveryId, 'X-GitHub-Delivery': deliveryId, 'Idempotency-Key': deliveryId },
    body: z.unknown().meta({ description: 'Any JSON', example: { order: { id: 1, total: 9.5 } } }),
    reply: messageSchema,
    isWrite: true,
    audience: 'anyone',
    refusals: {
      400: 'The body is not JSON in UTF-8; nothing is recorded',
      401: 'The signature that the webhook asks for is missing or wrong; nothing is recorded',
      404: 'Webhook not found or inactive',
      413: 'The body is larger than 1 MiB',
      415: 'The content encoding is unknown',
      429: 'The webhook receives more requests a second than `WEBHOOK_RATE_LIMIT`; send it again after `Retry-After` seconds',
      500: 'A fault of ours',
      503: 'The call could not be recorded; send it again after `Retry-After` seconds',
    },
  }),
} as const;
