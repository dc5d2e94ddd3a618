import type { AccessEvent } from '@mneme/contracts';
import { mongoProjection, type Projection } from '@mneme/event-store';
import type { Db, Document, MongoClient } from 'mongodb';
import { type AccessCollections, accessCollections } from './collections.ts';
import { type Row, type Write, writesOf } from './row-writes.ts';

/** The name under which the read model keeps its checkpoint and its live version. */
export const accessReadModel = 'access';

const types: readonly AccessEvent['type'][] = [
  'UserJoined',
  'SpaceCreated',
  'ProjectCreated',
  'KeyIssued',
  'KeyChanged',
  'KeyRegenerated',
  'KeyRevoked',
];

/** Keeps the rows of users, spaces, projects and keys. */
export function accessProjection(client: MongoClient, db: Db, version: number): Projection<AccessEvent> {
  const rows: AccessCollections = accessCollections(db, version);
  return mongoProjection<AccessEvent, readonly Write[]>({
    ...{ client, db, version, types, name: accessReadModel },
    prepare: async (events) => events.flatMap((event) => writesOf(rows, event)),
    write: async (writes, session) => {
      if (writes.length > 0) await client.bulkWrite<Record<string, Row & Document>>(writes, { session, ordered: true });
    },
  });
}
