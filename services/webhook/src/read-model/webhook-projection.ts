import { type WebhookEvent, webhookEvents, webhookStream } from '@mneme/contracts';
import { type LiveReadModel, mongoProjection, type Projection, type ReadModelForm } from '@mneme/event-store';
import type { Db, Document, MongoClient } from 'mongodb';
import { createIndexes, type WebhookCollections, webhookCollections } from './collections.ts';
import { fold } from './fold.ts';
import { removeLogs } from './remove-logs.ts';
import { type Write, writesOf } from './row-writes.ts';
import { readTouched } from './touched.ts';

const name = 'webhook';

/** The rows of webhooks, their calls and tables. */
export const webhookReadModel: ReadModelForm<WebhookEvent, WebhookCollections> = {
  ...{ name, form: 1, stream: webhookStream.name, catalog: webhookEvents },
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
  return mongoProjection<WebhookEvent, readonly Write[]>({
    ...{ client, db, version, types, name },
    prepare: async (events) => {
      const folded = fold(await readTouched(rows, events), events);
      // These are more than one transaction can bear. Nobody sees them: a deleted webhook is not asked for its logs.
      for (const webhookId of folded.deleted) await removeLogs(rows.calls, webhookId, [...folded.calls.keys()]);
      return writesOf(rows, folded);
    },
    write: async (writes, session) => {
      if (writes.length === 0) return;
      await client.bulkWrite<Record<string, Document & { _id: number | string }>>(writes, { session, ordered: true });
    },
  });
}
