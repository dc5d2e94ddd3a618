import { type AccessEvent, accessEvents, accessStream } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import {
  hashedLanes,
  type MessagePlace,
  type MongoWrite,
  mongoStore,
  put,
  type ReadModelDefinition,
  remove,
  set,
} from '@mneme/read-models';
import type { Db, MongoClient } from 'mongodb';
import { type AccessCollections, accessCollections, createIndexes } from './rows.ts';

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
    form: '3',
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
      return [put(rows.users, { _id: userId, spaceId, projectId })];
    }
    case 'SpaceCreated': {
      const { spaceId, name, spaceType: type, ownerId } = event.data;
      const { sequence } = event.position;
      return [put(rows.spaces, { _id: spaceId, name, type, ownerId, createdAt, sequence })];
    }
    case 'ProjectCreated': {
      const { projectId, spaceId, name } = event.data;
      return [put(rows.projects, { _id: projectId, spaceId, name, createdAt })];
    }
    case 'KeyIssued': {
      const { keyId, commandId, ...issued } = event.data;
      return [
        put(rows.keys, { _id: keyId, ...issued, isActive: true, createdAt }),
        put(rows.keyStorages, { _id: issued.spaceId }),
      ];
    }
    case 'KeyChanged': {
      const { keyId, keyHash, oldKeyHash, ...changed } = event.data;
      return [set(rows.keys, keyId, changed)];
    }
    case 'KeyRegenerated': {
      const { keyId, keyHash, keyPrefix, overlap } = event.data;
      return [set(rows.keys, keyId, { keyHash, keyPrefix, oldKeyUntil: overlap?.until ?? null })];
    }
    case 'KeyRevoked':
      return [remove(rows.keys, event.data.keyId)];
    case 'NumberTaken':
    case 'NumberAssigned':
      return [];
  }
}
