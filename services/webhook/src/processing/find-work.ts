import { type WebhookEvent, type WebhookEventOf, webhookEvents } from '@mneme/contracts';
import { decodeEvent, type Log, messageAt, type Recorded } from '@mneme/event-store';
import type { WorkItem } from '../table/process-deliveries.ts';
import { payloadText, webhookOf } from '../webhook-rows/received.ts';
import { SeenSenderDeliveries, senderDeliveryOf } from '../webhook-rows/sender-deliveries.ts';
import type { ProcessedWebhook } from './state.ts';

type Event<T extends WebhookEvent['type']> = Recorded<WebhookEventOf<T>>;
/** An event that requires a delivery to be processed. */
type DeliveryEvent = Event<'CallReceived'> | Event<'CallReplayed'>;

/** A work item whose payload may still have to be read. */
export interface FoundWork extends Omit<WorkItem, 'payload'> {
  readonly tableId: number;
  readonly event: DeliveryEvent;
}

/**
 * Finds the deliveries to process by the events of the log alone, in order: the state of the webhook when the delivery came
 * decides. The rows agree with it, because they follow the same events and the same rule for senders' delivery ids.
 */
export class WorkFinder {
  readonly senderDeliveries: SeenSenderDeliveries;
  /** Deliveries that came after their webhook was deleted: a gateway had accepted them just before it knew. */
  readonly late: number[] = [];
  readonly changed = new Map<number, ProcessedWebhook>();
  readonly #found: FoundWork[] = [];
  readonly #webhooks: Map<number, ProcessedWebhook>;

  constructor(webhooks: ReadonlyMap<number, ProcessedWebhook>, senderDeliveries: ReadonlyMap<string, Date>) {
    this.#webhooks = new Map(webhooks);
    this.senderDeliveries = new SeenSenderDeliveries(senderDeliveries);
  }

  /** The deliveries to process, without those of webhooks that are deleted by now. */
  get work(): readonly FoundWork[] {
    return this.#found.filter(({ webhookId }) => this.#webhooks.get(webhookId)?.isDeleted === false);
  }

  apply(event: Recorded<WebhookEvent>): void {
    switch (event.type) {
      case 'WebhookCreated': {
        const { webhookId: _id, tableId, deduplicate } = event.data;
        this.#change({ _id, tableId, deduplicate, isDeleted: false });
        break;
      }
      case 'WebhookChanged': {
        const webhook = this.#webhooks.get(event.data.webhookId);
        if (webhook) this.#change({ ...webhook, deduplicate: event.data.deduplicate });
        break;
      }
      case 'WebhookDeleted': {
        const webhook = this.#webhooks.get(event.data.webhookId);
        if (webhook) this.#change({ ...webhook, isDeleted: true });
        break;
      }
      case 'CallReceived':
        this.#receive(event);
        break;
      case 'CallReplayed': {
        const { callId: deliveryId, replay, webhookId } = event.data;
        this.#add(this.#webhooks.get(webhookId), event, deliveryId, replay);
      }
    }
  }

  #change(webhook: ProcessedWebhook): void {
    this.#webhooks.set(webhook._id, webhook);
    this.changed.set(webhook._id, webhook);
  }

  #receive(event: Event<'CallReceived'>): void {
    const webhookId = webhookOf(event);
    const webhook = this.#webhooks.get(webhookId);
    const { sequence } = event.position;
    if (webhook?.isDeleted) {
      this.late.push(sequence);
      return;
    }
    const key = webhook?.deduplicate ? senderDeliveryOf(event) : undefined;
    if (key !== undefined && this.senderDeliveries.isRepeated(webhookId, key, new Date(event.time))) return;
    this.#add(webhook, event, sequence, null);
  }

  #add(webhook: ProcessedWebhook | undefined, event: DeliveryEvent, deliveryId: number, replay: number | null): void {
    if (!webhook || webhook.isDeleted || webhook.tableId === null) return;
    const { _id: webhookId, tableId } = webhook;
    this.#found.push({ sequence: event.position.sequence, deliveryId, webhookId, tableId, replay, event });
  }
}

/** Adds the payload, of the event itself or of the delivery that is replayed; undefined when that was erased. */
export async function withPayload(log: Log, { event, ...work }: FoundWork): Promise<WorkItem | undefined> {
  if (event.type === 'CallReceived') return { ...work, payload: payloadText(event.data) };
  const message = await messageAt(log, work.deliveryId);
  if (message?.subject !== event.subject) return undefined;
  const received = decodeEvent(webhookEvents, message);
  return received.type === 'CallReceived' ? { ...work, payload: payloadText(received.data) } : undefined;
}
