import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { type WebhookEvent, type WebhookToken, type WireError, webhookSubjects } from '@mneme/contracts';
import { type EventStore, EventTooLargeError, formatPosition } from '@mneme/event-store';
import type { Logger } from '@mneme/service-kit';
import { tooLarge } from '../../errors.ts';
import type { SenderDeliveries } from './sender-deliveries.ts';

/** A delivery that is authenticated and valid. */
export interface AcceptedDelivery {
  readonly webhook: WebhookToken;
  readonly body: Buffer;
  readonly sourceIp: string;
  readonly senderDeliveryId: string | undefined;
  readonly requestId: string;
  /** Identifies it for 24 h, also at a webhook that does not deduplicate; unlike a sender's id it is not recorded. */
  readonly onceId?: string;
}

export interface RecorderDeps {
  readonly store: EventStore<WebhookEvent>;
  readonly senderDeliveries: SenderDeliveries;
  readonly logger: Logger;
  /** How many bytes a body may have in the event log, which has room for any headers beside it. */
  readonly maxEventBytes: () => number;
}

/** The headers in which senders put their delivery id; the first one that is present counts. */
const senderDeliveryHeaders = ['webhook-id', 'x-github-delivery', 'idempotency-key'] as const;
/** A longer id is replaced by its hash, in characters. */
const maxIdLength = 255;

/**
 * Records a delivery in the event log; from then on it is certain to be processed. If the webhook deduplicates, a delivery
 * whose sender's id was recorded within 24 h is not recorded again. Neither is one with the same `onceId`.
 * @returns the position of its event
 * @throws WireError 413 when it does not fit into a message of the log, also beside the headers of the event that keeps its
 * row once the webhook is deleted, which may be longer than its own
 */
export async function recordDelivery(deps: RecorderDeps, delivery: AcceptedDelivery): Promise<string> {
  if (delivery.body.byteLength > deps.maxEventBytes()) throw tooLargeForLog();
  const { webhookId, deduplicate } = delivery.webhook;
  const senderDeliveryId = delivery.onceId ?? (deduplicate ? delivery.senderDeliveryId : undefined);
  if (senderDeliveryId === undefined) return append(deps, delivery);
  const owner = ownerOfWebhook(delivery.webhook);
  const ref = { webhookId, senderDeliveryId, owner, subject: webhookSubjects.deliveries(webhookId) };
  const claimed = await deps.senderDeliveries.claim(ref);
  if (claimed.position !== null) return claimed.position;
  // Concurrent repeats have the same event id, which the log takes once.
  const position = await append(deps, delivery, claimed.eventId);
  try {
    await deps.senderDeliveries.settle(ref, { ...claimed, position });
  } catch (error) {
    deps.logger.warn({ err: error, requestId: delivery.requestId }, 'Could not note that a delivery is recorded');
  }
  return position;
}

/** For whom its deliveries count: the user who created the webhook, as `ownerOf` says it of callers, if that is known. */
function ownerOfWebhook({ webhookId, createdBy }: WebhookToken): string {
  return createdBy === undefined ? `webhook:${webhookId}` : `user:${createdBy}`;
}

/** The id that the sender has given this delivery, the same for each of its tries; undefined if it has given none. */
export function senderDeliveryIdIn(headers: IncomingHttpHeaders): string | undefined {
  const given = senderDeliveryHeaders
    .map((name) => headers[name])
    .find((value) => typeof value === 'string' && value !== '');
  if (typeof given !== 'string') return undefined;
  return given.length <= maxIdLength ? given : `sha256:${createHash('sha256').update(given, 'latin1').digest('hex')}`;
}

async function append({ store }: RecorderDeps, delivery: AcceptedDelivery, eventId?: string): Promise<string> {
  const { senderDeliveryId, sourceIp, requestId, body } = delivery;
  const { webhookId } = delivery.webhook;
  const attributes = {
    webhookid: String(webhookId),
    sourceip: sourceIp,
    ...(senderDeliveryId !== undefined && { deliveryid: senderDeliveryId }),
  };
  const context = { correlationId: requestId, attributes, ...(eventId !== undefined && { eventId }) };
  const subject = webhookSubjects.deliveries(webhookId);
  try {
    return formatPosition(await store.append(subject, [{ type: 'CallReceived', data: body }], 'any', context));
  } catch (error) {
    if (!(error instanceof EventTooLargeError)) throw error;
    throw tooLargeForLog(error);
  }
}

function tooLargeForLog(cause?: unknown): WireError {
  return tooLarge('The body is larger than one message of the event log may be', cause);
}
