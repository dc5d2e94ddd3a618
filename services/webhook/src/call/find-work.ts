import { type WebhookEvent, type WebhookEventOf, webhookSubjects } from '@mneme/contracts';
import type { EventStore, Recorded } from '@mneme/event-store';
import type { StoredWebhook, WebhookCollections } from '../read-model/collections.ts';
import { deliveryOf, webhookOfCall } from '../read-model/touched.ts';
import type { WorkItem } from '../table/work-off.ts';
import { payloadText } from './payload-text.ts';

/** An event that asks for a call to be worked off. */
export type CallEvent = Recorded<WebhookEventOf<'CallReceived'>> | Recorded<WebhookEventOf<'CallReplayed'>>;

/** A work item whose payload may still have to be read. */
export interface FoundWork extends Omit<WorkItem, 'payload'> {
  readonly tableId: number;
  /** Of the payload. */
  readonly bytes: number;
  /** Undefined: it is in the read model. */
  readonly payload: string | undefined;
}

export function isCallEvent(event: Recorded<WebhookEvent>): event is CallEvent {
  return event.type === 'CallReceived' || event.type === 'CallReplayed';
}

/** As much of a webhook as is needed to work off its calls. */
export type CalledWebhook = Pick<StoredWebhook, 'tableId' | 'deduplicate'>;

/** The webhooks that calls came to, as far as they are not deleted. */
export async function findWebhooks(
  rows: WebhookCollections,
  events: readonly CallEvent[],
): Promise<ReadonlyMap<number, CalledWebhook>> {
  const ids = [...new Set(events.map(webhookOfCall))];
  const projection = { tableId: 1, deduplicate: 1 };
  const found = await rows.webhooks.find({ _id: { $in: ids } }, { projection }).toArray();
  return new Map(found.map((webhook) => [webhook._id, webhook]));
}

/**
 * Calls of which only the read model knows whether there are such: it has left out repeated deliveries, and what came to a
 * webhook that was deleted.
 */
export async function findDoubtful(
  store: Pick<EventStore<WebhookEvent>, 'head'>,
  events: readonly CallEvent[],
  webhooks: ReadonlyMap<number, CalledWebhook>,
): Promise<ReadonlySet<CallEvent>> {
  const [replayed, received] = [events.filter(isReplay), events.filter((event) => deliveryIn(event) !== undefined)];
  // Whether a webhook wants deliveries once may have changed since they came.
  const decided = received.length === 0 ? 0 : await store.head(webhookSubjects.allWebhooks);
  const counts = (event: CallEvent) =>
    event.position.sequence < decided || webhooks.get(webhookOfCall(event))?.deduplicate === true;
  return new Set([...replayed, ...received.filter(counts)]);
}

/**
 * What there is to do about calls: those of webhooks that have a table.
 * @param doubtful have to be in the read model by now, if they ever will.
 */
export async function findWork(
  rows: WebhookCollections,
  events: readonly CallEvent[],
  { webhooks, doubtful }: { webhooks: ReadonlyMap<number, CalledWebhook>; doubtful: ReadonlySet<CallEvent> },
): Promise<FoundWork[]> {
  const ids = [...doubtful].map(callOf);
  const projection = { webhookId: 1, bytes: 1 };
  const calls = ids.length === 0 ? [] : await rows.calls.find({ _id: { $in: ids } }, { projection }).toArray();
  const bytesOf = new Map(calls.map(({ _id, webhookId, bytes }) => [`${webhookId} ${_id}`, bytes]));
  return events.flatMap((event) => {
    const [callId, webhookId] = [callOf(event), webhookOfCall(event)];
    const tableId = webhooks.get(webhookId)?.tableId ?? null;
    const bytes = doubtful.has(event) ? bytesOf.get(`${webhookId} ${callId}`) : bytesIn(event);
    if (tableId === null || bytes === undefined) return [];
    const { sequence } = event.position;
    const payload = event.type === 'CallReceived' ? payloadText(event.data) : undefined;
    const replay = event.type === 'CallReceived' ? null : event.data.replay;
    return [{ sequence, callId, webhookId, tableId, bytes, payload, replay }];
  });
}

/** Reads the payloads that are missing. */
export async function withPayloads(
  rows: WebhookCollections,
  found: readonly FoundWork[],
): Promise<(WorkItem & { readonly tableId: number })[]> {
  const ids = found.filter(({ payload }) => payload === undefined).map(({ callId }) => callId);
  const calls = ids.length === 0 ? [] : await rows.calls.find({ _id: { $in: ids } }).toArray();
  const payloads = new Map(calls.map(({ _id, payload }) => [_id, payload]));
  return found.flatMap((work) => {
    const payload = work.payload ?? payloads.get(work.callId);
    return payload === undefined ? [] : [{ ...work, payload }];
  });
}

function isReplay(event: CallEvent): boolean {
  return event.type === 'CallReplayed';
}

function deliveryIn(event: CallEvent): string | undefined {
  return event.type === 'CallReceived' ? deliveryOf(event) : undefined;
}

function bytesIn(event: CallEvent): number | undefined {
  return event.type === 'CallReceived' ? event.data.byteLength : undefined;
}

function callOf(event: CallEvent): number {
  return event.type === 'CallReceived' ? event.position.sequence : event.data.callId;
}
