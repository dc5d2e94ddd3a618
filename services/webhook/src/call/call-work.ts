import { type WebhookEvent, webhookEvents, webhookStream, webhookSubjects } from '@mneme/contracts';
import {
  type Eraser,
  type EventContext,
  mongoCheckpoints,
  type Projection,
  type Recorded,
  type RunningProjection,
  runLeasedProjection,
  splitBySize,
} from '@mneme/event-store';
import type { Logger } from '@mneme/service-kit';
import type { NatsConnection } from '@nats-io/nats-core';
import type { Db } from 'mongodb';
import { webhookOfCall } from '../read-model/touched.ts';
import { createTableWork, type TableWork, type TableWorkDeps } from '../table/table-work.ts';
import type { WorkItem } from '../table/work-off.ts';
import { eraseStrays } from './erase-strays.ts';
import { type CallEvent, findDoubtful, findWebhooks, findWork, isCallEvent, withPayloads } from './find-work.ts';

export interface CallWorkDeps extends Omit<TableWorkDeps, 'subjects'> {
  readonly connection: NatsConnection;
  readonly eraser: Pick<Eraser, 'erase'>;
  /** Where it is kept how far the calls are worked off, and by which instance. */
  readonly db: Db;
  readonly logger: Logger;
}

const key = { name: 'webhook-calls', version: 1 };
const types: readonly WebhookEvent['type'][] = ['CallReceived', 'CallReplayed'];
/** After so long without a sign of life of the instance that works calls off, another one takes over, in milliseconds. */
const leaseMs = 3_000;
/** Calls that come one after the other are worked off together. */
const linger = { after: types, forMs: 50, isPaced: true };
const maxBatch = 1_000;
const maxBatchBytes = 8 * 1024 * 1024;
const readModelWaitMs = 30_000;
/** Payloads that are in memory at once, unless one alone is larger. */
const maxRunBytes = 8 * 1024 * 1024;
const tablesAtOnce = 16;

/**
 * Works off calls in the order in which they came: takes those that are there, and appends what becomes of them, one event
 * for each table. Its place in the log only saves work; the tables say themselves how far their calls are worked off, so
 * that nothing happens twice after a crash, or with two instances at work.
 */
export function workOffCalls(deps: CallWorkDeps): Promise<RunningProjection> {
  const { connection, db, logger } = deps;
  const checkpoints = mongoCheckpoints(db);
  const tables = createTableWork({ ...deps, subjects: webhookSubjects });
  const projection: Projection<WebhookEvent> = {
    ...key,
    types,
    readPosition: () => checkpoints.read(key),
    apply: async (events, advance) => {
      await workOffEvents(deps, tables, events);
      await checkpoints.advance(key, advance);
    },
  };
  return runLeasedProjection({
    ...{ connection, db, leaseMs, logger, projection, linger, maxBatch, maxBatchBytes },
    ...{ stream: webhookStream.name, catalog: webhookEvents, filterSubject: webhookSubjects.allCalls },
  });
}

async function workOffEvents(
  deps: CallWorkDeps,
  tables: TableWork,
  events: readonly Recorded<WebhookEvent>[],
): Promise<void> {
  const calls = events.filter(isCallEvent);
  const last = calls.at(-1);
  if (!last) return;
  const { store, rows } = deps;
  // The read model says which webhooks and tables there are; it need not have the calls yet.
  await reach(deps, await store.head(webhookSubjects.allWebhooks));
  const webhooks = await findWebhooks(rows(), calls);
  const strays = calls.filter((event) => !webhooks.has(webhookOfCall(event)));
  await eraseStrays({ ...deps, subjects: webhookSubjects }, strays);
  const doubtful = await findDoubtful(store, calls, webhooks);
  const lastDoubtful = calls.findLast((event) => doubtful.has(event));
  if (lastDoubtful) await reach(deps, lastDoubtful.position.sequence);
  // Webhooks may have been deleted while this waited.
  const left = lastDoubtful || strays.length > 0 ? await findWebhooks(rows(), calls) : webhooks;
  const found = await findWork(rows(), calls, { webhooks: left, doubtful });
  for (const run of splitBySize(found, ({ bytes }) => bytes, maxRunBytes)) {
    const items = await withPayloads(rows(), run);
    await workOffByTable(tables, items, contextOf(last));
  }
}

async function reach({ readModel }: CallWorkDeps, sequence: number): Promise<void> {
  if (!(await readModel.await(sequence, readModelWaitMs))) throw new Error('The read model is behind the event log');
}

async function workOffByTable(
  tables: TableWork,
  items: readonly (WorkItem & { readonly tableId: number })[],
  context: EventContext,
): Promise<void> {
  const byTable = [...Map.groupBy(items, ({ tableId }) => tableId)];
  const work = async () => {
    for (let next = byTable.pop(); next; next = byTable.pop()) await tables.run(next[0], next[1], context);
  };
  await Promise.all(Array.from({ length: tablesAtOnce }, work));
}

function contextOf({ id, correlationId }: CallEvent): EventContext {
  return { correlationId, causationId: id };
}
