import { type WebhookEvent, type WebhookToken, WireError, webhookSubjects } from '@mneme/contracts';
import { type EventStore, EventTooLargeError, formatPosition } from '@mneme/event-store';
import type { Logger } from '@mneme/service-kit';
import type { SenderDeliveries } from './sender-deliveries.ts';

/** A call that may be recorded. */
export interface AcceptedDelivery {
  readonly webhook: WebhookToken;
  readonly body: Buffer;
  readonly sourceIp: string;
  readonly senderDeliveryId: string | undefined;
  readonly requestId: string;
}

export interface RecorderDeps {
  readonly store: EventStore<WebhookEvent>;
  readonly senderDeliveries: SenderDeliveries;
  readonly logger: Logger;
}

/**
 * Records a call in the event log; from then on it will be worked off, whatever happens. Where the webhook wants each
 * delivery once, one that was recorded within 24 h is not recorded again.
 * @returns the position of its event
 * @throws WireError 413 when it does not fit into a message of the log
 */
export async function recordDelivery(deps: RecorderDeps, call: AcceptedDelivery): Promise<string> {
  const { webhook, senderDeliveryId } = call;
  if (!webhook.deduplicate || senderDeliveryId === undefined) return append(deps, call);
  const ref = {
    webhookId: webhook.webhookId,
    senderDeliveryId,
    subject: webhookSubjects.deliveries(webhook.webhookId),
  };
  const delivery = await deps.senderDeliveries.claim(ref);
  if (delivery.position !== null) return delivery.position;
  // Two that come at once have one event id, by which the log takes the event once.
  const position = await append(deps, call, delivery.eventId);
  try {
    await deps.senderDeliveries.settle(ref, { ...delivery, position });
  } catch (error) {
    deps.logger.warn({ err: error, requestId: call.requestId }, 'Could not note that a delivery is recorded');
  }
  return position;
}

async function append({ store }: RecorderDeps, call: AcceptedDelivery, eventId?: string): Promise<string> {
  const { webhook, senderDeliveryId, sourceIp, requestId, body } = call;
  const attributes = {
    ...{ webhookid: String(webhook.webhookId), sourceip: sourceIp },
    ...(senderDeliveryId !== undefined && { deliveryid: senderDeliveryId }),
  };
  const context = { correlationId: requestId, attributes, ...(eventId !== undefined && { eventId }) };
  const subject = webhookSubjects.deliveries(webhook.webhookId);
  try {
    return formatPosition(await store.append(subject, [{ type: 'CallReceived', data: body }], 'any', context));
  } catch (error) {
    if (!(error instanceof EventTooLargeError)) throw error;
    const message = 'The body is larger than one message of the event log may be';
    throw new WireError({ status: 413, code: 'PAYLOAD_TOO_LARGE', message }, { cause: error });
  }
}
