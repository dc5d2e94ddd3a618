import { type WebhookEvent, webhookEvents, webhookStream } from '@mneme/contracts';
import { isDuplicateKey, mongoStore, type ReadModelDefinition } from '@mneme/read-models';
import type { Db, MongoClient } from 'mongodb';
import type { Aggregates } from '../aggregates.ts';
import { readAffected } from './affected-rows.ts';
import { fold } from './fold.ts';
import { writesOf } from './row-writes.ts';
import { createIndexes, type WebhookCollections, webhookCollections } from './rows.ts';

const types: readonly WebhookEvent['type'][] = [
  'WebhookCreated',
  'WebhookChanged',
  'WebhookDeleted',
  'CallReceived',
  'CallReplayed',
  'ReplayRequested',
  'ReplayQueued',
  'TableCreated',
  'CallsProcessed',
  'RowKept',
];

/** The rows of webhooks, their deliveries and tables. */
export function webhookProjection(
  client: MongoClient,
  db: Db,
  { lanes }: Aggregates,
): ReadModelDefinition<WebhookEvent, WebhookCollections> {
  return {
    name: 'webhook',
    form: '2',
    stream: webhookStream.name,
    catalog: webhookEvents,
    types,
    lanes,
    // So that a delivery and its outcome are written together.
    batches: { delay: { types: ['CallReceived'], forMs: 150, sinceLastBatch: true } },
    store: (version) => webhookStore(client, db, version),
  };
}

function webhookStore(client: MongoClient, db: Db, version: number) {
  const collections = webhookCollections(db, version);
  // If a checkpoint was set back, or the database was restored, deliveries may be stored already.
  let mayBeStored = false;
  return mongoStore<WebhookEvent, WebhookCollections>({
    client,
    db,
    collections,
    createIndexes: () => createIndexes(collections),
    writesOf: async (events) =>
      writesOf(collections, fold(await readAffected(collections, events), events), mayBeStored),
    onWriteError: (error) => {
      mayBeStored ||= isDuplicateKey(error);
    },
  });
}
