import { type WebhookEvent, type WebhookToken, WireError, webhookSubjects } from '@mneme/contracts';
import { type EventStore, EventTooLargeError, formatPosition } from '@mneme/event-store';
import type { Logger } from '@mneme/service-kit';
import type { Deliveries } from './sender-deliveries.ts';

/** A call that may be recorded. */
export interface AcceptedCall {
  readonly webhook: WebhookToken;
  readonly body: Buffer;
  readonly sourceIp: string;
  readonly deliveryId: string | undefined;
  readonly requestId: string;
}

export interface RecorderDeps {
  readonly store: EventStore<WebhookEvent>;
  readonly deliveries: Deliveries;
  readonly logger: Logger;
}

/**
 * Records a call in the event log; from then on it will be worked off, whatever happens. Where the webhook wants each
 * delivery once, one that was recorded within 24 h is not recorded again.
 * @returns the position of its event
 * @throws WireError 413 when it does not fit into a message of the log
 */
export async function recordCall(deps: RecorderDeps, call: AcceptedCall): Promise<string> {
  const { webhook, deliveryId } = call;
  if (!webhook.deduplicate || deliveryId === undefined) return append(deps, call);
  const ref = { webhookId: webhook.webhookId, deliveryId, subject: webhookSubjects.calls(webhook.webhookId) };
  const delivery = await deps.deliveries.claim(ref);
  if (delivery.position !== null) return delivery.position;
  // Two that come at once have one event id, by which the log takes the event once.
  const position = await append(deps, call, delivery.eventId);
  try {
    await deps.deliveries.settle(ref, { ...delivery, position });
  } catch (error) {
    deps.logger.warn({ err: error, requestId: call.requestId }, 'Could not note that a delivery is recorded');
  }
  return position;
}

async function append({ store }: RecorderDeps, call: AcceptedCall, eventId?: string): Promise<string> {
  const { webhook, deliveryId, sourceIp, requestId, body } = call;
  const attributes = {
    ...{ webhookid: String(webhook.webhookId), sourceip: sourceIp },
    ...(deliveryId !== undefined && { deliveryid: deliveryId }),
  };
  const context = { correlationId: requestId, attributes, ...(eventId !== undefined && { eventId }) };
  const subject = webhookSubjects.calls(webhook.webhookId);
  try {
    return formatPosition(await store.append(subject, [{ type: 'CallReceived', data: body }], 'any', context));
  } catch (error) {
    if (!(error instanceof EventTooLargeError)) throw error;
    const message = 'The body is larger than one message of the event log may be';
    throw new WireError({ status: 413, code: 'PAYLOAD_TOO_LARGE', message }, { cause: error });
  }
}
