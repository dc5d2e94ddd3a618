import { type WebhookEvent, webhookEvents, webhookStream } from '@mneme/contracts';
import { type Eraser, type EventStore, openLog, type Recorded } from '@mneme/event-store';
import { type MongoWrite, makeIndexes, mongoStore, type ReadModelDefinition } from '@mneme/read-models';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Db, MongoClient } from 'mongodb';
import type { Aggregates } from '../aggregates.ts';
import type { PayloadReader } from '../flatten/payload-columns.ts';
import { webhookOf } from '../webhook-rows/received.ts';
import { senderDeliveryWrites } from '../webhook-rows/row-writes.ts';
import { senderDeliveryOf } from '../webhook-rows/sender-deliveries.ts';
import { type FoundWork, WorkFinder } from './find-work.ts';
import { processTable, type TableWorkDeps } from './process-table.ts';
import { type KnownTable, type ProcessingCollections, ProcessingState, processingCollections } from './state.ts';

export interface ProcessingDeps {
  readonly connection: NatsConnection;
  readonly store: EventStore<WebhookEvent>;
  readonly eraser: Pick<Eraser, 'erase'>;
  readonly client: MongoClient;
  readonly db: Db;
  readonly aggregates: Aggregates;
  readonly payloads: PayloadReader;
}

const types: readonly WebhookEvent['type'][] = [
  'WebhookCreated',
  'WebhookChanged',
  'WebhookDeleted',
  'CallReceived',
  'CallReplayed',
];
/** Events of tables: mostly its own. What other instances append to a table is read when it shows as a conflict. */
const skipped: readonly WebhookEvent['type'][] = ['TableCreated', 'CallsProcessed', 'RowKept'];

/**
 * Turns deliveries into rows: appends the outcome of a batch of deliveries, one event for each table and run. It follows
 * the log in lanes like a read model. Its rows are its state: webhooks, senders' delivery ids, and snapshots of tables. Its
 * checkpoint only saves work: the events of a table say how far its deliveries are processed, so nothing is processed
 * twice after a crash, with two instances, or from the beginning of the log.
 */
export function createProcessing(deps: ProcessingDeps): ReadModelDefinition<WebhookEvent, ProcessingCollections> {
  const { client, db, aggregates } = deps;
  const delayed = ['CallReceived', 'CallReplayed', ...skipped];
  return {
    name: 'webhook-processing',
    form: '1',
    stream: webhookStream.name,
    catalog: webhookEvents,
    types,
    lanes: aggregates.lanes,
    // Deliveries that come in quick succession are processed together.
    batches: {
      maxEvents: 1_000,
      maxBytes: 8 * 1024 * 1024,
      delay: { types: delayed, forMs: 50, sinceLastBatch: true },
    },
    store: (version) => {
      const collections = processingCollections(db, version);
      const state = new ProcessingState(collections);
      const log = openLog(deps.connection, webhookStream.name);
      const store = mongoStore<WebhookEvent, ProcessingCollections>({
        client,
        db,
        collections,
        createIndexes: () => makeIndexes([[collections.senderDeliveries, [{ key: { webhookId: 1, at: 1 } }]]]),
        writesOf: (events) => process({ ...deps, log, state }, events),
      });
      return { ...store, forgetLane: () => state.forget() };
    },
  };
}

type Working = Omit<TableWorkDeps, 'state'> & Pick<ProcessingDeps, 'eraser'> & { readonly state: ProcessingState };

async function process(deps: Working, events: readonly Recorded<WebhookEvent>[]): Promise<MongoWrite[]> {
  const { state, eraser } = deps;
  const finder = await finderFor(state, events);
  for (const event of events) finder.apply(event);
  if (finder.late.length > 0) await eraser.erase(finder.late, { atOnce: 1 });
  const tables = await processTables(deps, finder.work);
  const senderDeliveries = await senderDeliveryWrites(state.rows.senderDeliveries, finder.senderDeliveries);
  return [...state.remember(finder.changed.values(), tables), ...senderDeliveries];
}

async function finderFor(state: ProcessingState, events: readonly Recorded<WebhookEvent>[]): Promise<WorkFinder> {
  const ids = new Set<number>();
  const keys = new Set<string>();
  for (const event of events) {
    ids.add(webhookOf(event));
    const key = event.type === 'CallReceived' ? senderDeliveryOf(event) : undefined;
    if (key !== undefined) keys.add(key);
  }
  const [webhooks, senderDeliveries] = await Promise.all([state.webhooks(ids), state.senderDeliveries(keys)]);
  return new WorkFinder(webhooks, senderDeliveries);
}

/** A table that fails does not keep the others from being processed; then the batch is tried again lane by lane. */
async function processTables(deps: Working, work: readonly FoundWork[]): Promise<Map<number, KnownTable>> {
  const byTable = [...Map.groupBy(work, ({ tableId }) => tableId)];
  const done = await Promise.allSettled(
    byTable.map(async ([tableId, found]) => [tableId, await processTable(deps, tableId, found)] as const),
  );
  const failed = done.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
  const tables = done.flatMap((each) => (each.status === 'fulfilled' && each.value[1] ? [each.value] : []));
  return new Map(tables as [number, KnownTable][]);
}
