import { type AccessEvent, accessEvents, accessStream } from '@mneme/contracts';
import { type LiveReadModel, mongoProjection, type Projection, type ReadModelForm } from '@mneme/event-store';
import type { Db, Document, MongoClient } from 'mongodb';
import { type AccessCollections, accessCollections, createIndexes } from './collections.ts';
import { type Row, type Write, writesOf } from './row-writes.ts';

const name = 'access';

const types: readonly AccessEvent['type'][] = [
  'UserJoined',
  'SpaceCreated',
  'ProjectCreated',
  'KeyIssued',
  'KeyChanged',
  'KeyRegenerated',
  'KeyRevoked',
];

/** The rows of users, spaces, projects and keys. */
export const accessReadModel: ReadModelForm<AccessEvent, AccessCollections> = {
  ...{ name, form: 1, stream: accessStream.name, catalog: accessEvents },
  collections: accessCollections,
  createIndexes,
  projection: accessProjection,
};

export type AccessReadModel = LiveReadModel<AccessEvent, AccessCollections>;

/** Keeps the rows of users, spaces, projects and keys. */
function accessProjection(client: MongoClient, db: Db, version: number): Projection<AccessEvent> {
  const rows: AccessCollections = accessCollections(db, version);
  return mongoProjection<AccessEvent, readonly Write[]>({
    ...{ client, db, version, types, name },
    prepare: async (events) => events.flatMap((event) => writesOf(rows, event)),
    write: async (writes, session) => {
      if (writes.length > 0) await client.bulkWrite<Record<string, Row & Document>>(writes, { session, ordered: true });
    },
  });
}
