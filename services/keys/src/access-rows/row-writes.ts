import type { AccessEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import type { MongoWrite } from '@mneme/read-models';
import type { Collection } from 'mongodb';
import type { AccessCollections } from './rows.ts';

type Row = { readonly _id: number };

/** What an event changes in the rows. Events of different aggregates may come in any order. */
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

function put<R extends Row>(rows: Collection<R>, _id: number, row: Omit<R, '_id'>): MongoWrite {
  return { name: 'replaceOne', namespace: rows.namespace, filter: { _id }, replacement: row, upsert: true };
}

function set<R extends Row>(rows: Collection<R>, _id: number, fields: Partial<R>): MongoWrite {
  return { name: 'updateOne', namespace: rows.namespace, filter: { _id }, update: { $set: fields } };
}
