import { type AccessEvent, accessEvents, accessStream } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import {
  hashedLanes,
  type MessagePlace,
  type MongoWrite,
  mongoStore,
  type ReadModel,
  type ReadModelDefinition,
} from '@mneme/read-models';
import type { Collection, Db, MongoClient } from 'mongodb';
import { type AccessCollections, accessCollections, createIndexes } from './rows.ts';

export type AccessReadModel = ReadModel<AccessEvent, AccessCollections>;

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
export function accessProjection(client: MongoClient, db: Db): ReadModelDefinition<AccessEvent, AccessCollections> {
  return {
    name: 'access',
    form: '2',
    stream: accessStream.name,
    catalog: accessEvents,
    types,
    lanes: hashedLanes(4, aggregateOf),
    store: (version) => {
      const collections = accessCollections(db, version);
      return mongoStore<AccessEvent, AccessCollections>({
        client,
        db,
        collections,
        createIndexes: () => createIndexes(collections),
        writesOf: (events) => events.flatMap((event) => writesOf(collections, event)),
      });
    },
  };
}

/** An aggregate of the rows is one of the log; the subjects by which ids are assigned have no rows. */
export function aggregateOf({ subject }: Pick<MessagePlace, 'subject'>): string | undefined {
  return /^access\.(user|space|project|key)\./.test(subject) ? subject : undefined;
}

/** What an event changes in the rows. Events of different aggregates may be applied in any order. */
export function writesOf(rows: AccessCollections, event: Recorded<AccessEvent>): readonly MongoWrite[] {
  const createdAt = new Date(event.time);
  switch (event.type) {
    case 'UserJoined': {
      const { userId, spaceId, projectId } = event.data;
      return [put(rows.users, userId, { spaceId, projectId })];
    }
    case 'SpaceCreated': {
      const { spaceId, name, spaceType: type, ownerId } = event.data;
      const { sequence } = event.position;
      return [put(rows.spaces, spaceId, { name, type, ownerId, createdAt, sequence })];
    }
    case 'ProjectCreated': {
      const { projectId, spaceId, name } = event.data;
      return [put(rows.projects, projectId, { spaceId, name, createdAt })];
    }
    case 'KeyIssued': {
      const { keyId, commandId, ...issued } = event.data;
      return [
        put(rows.keys, keyId, { ...issued, isActive: true, createdAt }),
        put(rows.keyStorages, issued.spaceId, {}),
      ];
    }
    case 'KeyChanged': {
      const { keyId, keyHash, ...changed } = event.data;
      return [set(rows.keys, keyId, changed)];
    }
    case 'KeyRegenerated': {
      const { keyId, keyHash, keyPrefix } = event.data;
      return [set(rows.keys, keyId, { keyHash, keyPrefix })];
    }
    case 'KeyRevoked':
      return [{ name: 'deleteOne', namespace: rows.keys.namespace, filter: { _id: event.data.keyId } }];
    case 'NumberTaken':
    case 'NumberAssigned':
      return [];
  }
}

type Row = { readonly _id: number };

function put<R extends Row>(rows: Collection<R>, _id: number, row: Omit<R, '_id'>): MongoWrite {
  return { name: 'replaceOne', namespace: rows.namespace, filter: { _id }, replacement: row, upsert: true };
}

function set<R extends Row>(rows: Collection<R>, _id: number, fields: Partial<R>): MongoWrite {
  return { name: 'updateOne', namespace: rows.namespace, filter: { _id }, update: { $set: fields } };
}
