import { webhookEvents, webhookStream, webhookSubjects } from '@mneme/contracts';
import {
  decodeEvent,
  firstMessage,
  openLog,
  type StoredMessage,
  typeOf,
  UnreadableEventError,
} from '@mneme/event-store';
import { hashedLanes, type LaneScheme } from '@mneme/read-models';
import type { NatsConnection } from '@nats-io/nats-core';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

/**
 * The aggregates of the read model and of the processing. Deliveries and their outcome change rows of the webhook's table,
 * so a table and all webhooks that write to it are one aggregate, `t<table>`. A webhook without a table is an aggregate of
 * its own, `w<webhook>`.
 */
export interface Aggregates {
  readonly lanes: LaneScheme;
  ofWebhook(webhookId: number): Promise<string>;
  /** The aggregate of a subject; undefined for one that has no rows. */
  ofSubject(subject: string): Promise<string | undefined>;
}

export function ofTable(tableId: number): string {
  return `t${tableId}`;
}

/** The aggregate of a webhook whose table is known; null: it has none. */
export function ofWebhookWith(webhookId: number, tableId: number | null): string {
  return tableId === null ? ofWebhookAlone(webhookId) : ofTable(tableId);
}

const laneCount = 16;
const maxKnown = 100_000;

export function createAggregates(connection: NatsConnection): Aggregates {
  const log = openLog(connection, webhookStream.name);
  const known = new LRUCache<number, string>({ max: maxKnown });
  const lookUp = async (webhookId: number): Promise<string> => {
    const message = await firstMessage(log, webhookSubjects.webhook(webhookId), 1);
    const tableId = message && tableOf(message);
    if (tableId === undefined) return ofWebhookAlone(webhookId);
    // The table of a webhook never changes as long as the log is the same one.
    const aggregate = ofWebhookWith(webhookId, tableId);
    known.set(webhookId, aggregate);
    return aggregate;
  };
  const ofWebhook = (webhookId: number) => known.get(webhookId) ?? lookUp(webhookId);
  const aggregateOf = (subject: string) => {
    const [, kind, id] = subject.split('.');
    if (kind === 'table') return ofTable(Number(id));
    return kind === 'webhook' || kind === 'call' ? ofWebhook(Number(id)) : undefined;
  };
  return {
    lanes: hashedLanes(
      laneCount,
      ({ subject }) => aggregateOf(subject),
      () => known.clear(),
    ),
    ofWebhook: async (webhookId) => ofWebhook(webhookId),
    ofSubject: async (subject) => aggregateOf(subject),
  };
}

function ofWebhookAlone(webhookId: number): string {
  return `w${webhookId}`;
}

/** The table of a new webhook: null if it has none, undefined if the message does not tell. */
function tableOf(message: StoredMessage): number | null | undefined {
  try {
    const created = decodeEvent(webhookEvents, message);
    return created.type === 'WebhookCreated' ? created.data.tableId : undefined;
  } catch (error) {
    if (!(error instanceof UnreadableEventError)) throw error;
    return typeOf(message) === 'WebhookCreated' ? tableOfNewer(message.data) : undefined;
  }
}

const newerCreated = z.object({ tableId: z.int().min(1).nullable() });

/**
 * An event of a newer version is dead-lettered here, and retried by the release that knows it. That finds only what waits
 * in the same aggregate, so the table is read even if nothing else can be.
 */
function tableOfNewer(data: Uint8Array): number | null | undefined {
  try {
    return newerCreated.safeParse(JSON.parse(new TextDecoder().decode(data))).data?.tableId;
  } catch {
    return undefined;
  }
}
