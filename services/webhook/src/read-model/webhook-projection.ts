import { type WebhookEvent, webhookEvents, webhookStream } from '@mneme/contracts';
import {
  isDuplicateKey,
  type LiveReadModel,
  mongoProjection,
  type Projection,
  type ReadModelForm,
} from '@mneme/event-store';
import type { Db, Document, MongoClient } from 'mongodb';
import { createIndexes, type WebhookCollections, webhookCollections } from './collections.ts';
import { fold } from './fold.ts';
import { type Write, writesOf } from './row-writes.ts';
import { readTouched } from './touched.ts';

const name = 'webhook';

/** The rows of webhooks, their calls and tables. */
export const webhookReadModel: ReadModelForm<WebhookEvent, WebhookCollections> = {
  ...{ name, form: 1, stream: webhookStream.name, catalog: webhookEvents },
  // A call and what becomes of it are then written in one go.
  batches: { linger: { after: ['CallReceived'], forMs: 150, isPaced: true } },
  collections: webhookCollections,
  createIndexes,
  projection: webhookProjection,
};

export type WebhookReadModel = LiveReadModel<WebhookEvent, WebhookCollections>;

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

function webhookProjection(client: MongoClient, db: Db, version: number): Projection<WebhookEvent> {
  const rows = webhookCollections(db, version);
  // Where somebody has set the checkpoint back, or the database to an older state, calls may be there already.
  let mayBeThere = false;
  return mongoProjection<WebhookEvent, readonly Write[]>({
    ...{ client, db, version, types, name },
    prepare: async (events) => writesOf(rows, fold(await readTouched(rows, events), events), mayBeThere),
    write: async (writes, session) => {
      if (writes.length === 0) return;
      const options = { session, ordered: true };
      await client.bulkWrite<Record<string, Document & { _id: number | string }>>(writes, options).catch((error) => {
        mayBeThere ||= isDuplicateKey(error);
        throw error;
      });
    },
  });
}
