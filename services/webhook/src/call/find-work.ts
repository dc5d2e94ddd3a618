import type { WebhookEvent, WebhookEventOf } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import type { WebhookCollections } from '../read-model/collections.ts';
import { webhookOfCall } from '../read-model/touched.ts';
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

/**
 * What there is to do about calls: those of webhooks that have a table. The read model knows which calls there are; it
 * has left out repeated deliveries, and what came to a webhook that was deleted.
 */
export async function findWork(rows: WebhookCollections, events: readonly CallEvent[]): Promise<FoundWork[]> {
  const webhookIds = [...new Set(events.map(webhookOfCall))];
  const tables = await rows.webhooks.find({ _id: { $in: webhookIds } }, { projection: { tableId: 1 } }).toArray();
  const tableOf = new Map(tables.map(({ _id, tableId }) => [_id, tableId]));
  const wanted = events.filter((event) => (tableOf.get(webhookOfCall(event)) ?? null) !== null);
  const calls = await rows.calls
    .find({ _id: { $in: wanted.map(callOf) } }, { projection: { webhookId: 1, bytes: 1 } })
    .toArray();
  const bytesOf = new Map(calls.map(({ _id, webhookId, bytes }) => [`${webhookId} ${_id}`, bytes]));
  return wanted.flatMap((event) => {
    const [callId, webhookId] = [callOf(event), webhookOfCall(event)];
    const bytes = bytesOf.get(`${webhookId} ${callId}`);
    const tableId = tableOf.get(webhookId) ?? null;
    if (bytes === undefined || tableId === null) return [];
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

function callOf(event: CallEvent): number {
  return event.type === 'CallReceived' ? event.position.sequence : event.data.callId;
}
