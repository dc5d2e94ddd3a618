import { type WebhookEvent, webhookEvents, webhookStream } from '@mneme/contracts';
import { type Eraser, type EventStore, openLog, type Recorded } from '@mneme/event-store';
import { type MongoWrite, mongoStore, type ReadModel, type ReadModelDefinition } from '@mneme/read-models';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Db, MongoClient } from 'mongodb';
import type { Aggregates } from '../aggregates.ts';
import { senderDeliveryOf, webhookOf } from '../webhook-rows/affected-rows.ts';
import { senderDeliveryWrites } from '../webhook-rows/row-writes.ts';
import { type FoundWork, WorkFinder } from './find-work.ts';
import { processTable, type TableWorkDeps } from './process-table.ts';
import { type KnownTable, type MemoryCollections, memoryCollections, ProcessingMemory } from './state.ts';

export interface ProcessingDeps {
  readonly connection: NatsConnection;
  readonly store: EventStore<WebhookEvent>;
  readonly eraser: Pick<Eraser, 'erase'>;
  readonly client: MongoClient;
  readonly db: Db;
  readonly aggregates: Aggregates;
}

export type Processing = ReadModel<WebhookEvent, MemoryCollections>;

const types: readonly WebhookEvent['type'][] = [
  'WebhookCreated',
  'WebhookChanged',
  'WebhookDeleted',
  'CallReceived',
  'CallReplayed',
];
/** Of tables it only has the events that it appends itself, and reads what others append when it meets them. */
const passedOver: readonly WebhookEvent['type'][] = ['TableCreated', 'CallsProcessed', 'RowKept'];

/**
 * Makes rows of deliveries: takes those that are there, and appends what becomes of them, one event for each table and
 * run. It follows the log in lanes like a read model, and what it keeps is its memory: how webhooks are, which delivery
 * ids were seen, and snapshots of tables. Its place in the log only saves work; the tables say themselves how far their
 * deliveries are processed, so that nothing happens twice after a crash, with two instances, or from the beginning.
 */
export function processing(deps: ProcessingDeps): ReadModelDefinition<WebhookEvent, MemoryCollections> {
  const { client, db, aggregates } = deps;
  const delayed = ['CallReceived', 'CallReplayed', ...passedOver];
  return {
    ...{ name: 'webhook-processing', form: '1', stream: webhookStream.name, catalog: webhookEvents, types },
    lanes: aggregates.lanes,
    // Deliveries that come one after the other are processed together.
    batches: {
      maxEvents: 1_000,
      maxBytes: 8 * 1024 * 1024,
      delay: { types: delayed, forMs: 50, sinceLastBatch: true },
    },
    store: (version) => {
      const collections = memoryCollections(db, version);
      const memory = new ProcessingMemory(collections);
      const log = openLog(deps.connection, webhookStream.name);
      const store = mongoStore<WebhookEvent, MemoryCollections>({
        ...{ client, db, collections },
        createIndexes: async () => void (await collections.senderDeliveries.createIndex({ webhookId: 1, at: 1 })),
        writesOf: (events) => process({ ...deps, log, memory }, events),
      });
      return { ...store, forgetLane: () => memory.forget() };
    },
  };
}

type Working = Omit<TableWorkDeps, 'memory'> & Pick<ProcessingDeps, 'eraser'> & { readonly memory: ProcessingMemory };

async function process(deps: Working, events: readonly Recorded<WebhookEvent>[]): Promise<MongoWrite[]> {
  const { memory, eraser } = deps;
  const finder = await finderFor(memory, events);
  for (const event of events) finder.apply(event);
  if (finder.late.length > 0) await eraser.erase(finder.late, { atOnce: 1 });
  const tables = await processTables(deps, finder.work);
  return [
    ...memory.remember(finder.changed.values(), tables),
    ...senderDeliveryWrites(memory.rows.senderDeliveries, finder.senderDeliveries),
  ];
}

async function finderFor(memory: ProcessingMemory, events: readonly Recorded<WebhookEvent>[]): Promise<WorkFinder> {
  const ids = new Set<number>();
  const names = new Set<string>();
  for (const event of events) {
    ids.add(webhookOf(event));
    const name = event.type === 'CallReceived' ? senderDeliveryOf(event) : undefined;
    if (name !== undefined) names.add(name);
  }
  const [webhooks, senderDeliveries] = await Promise.all([memory.webhooks(ids), memory.senderDeliveries(names)]);
  return new WorkFinder(webhooks, senderDeliveries);
}

/** A table that fails does not keep the others from being processed; the batch is then tried again lane by lane. */
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
