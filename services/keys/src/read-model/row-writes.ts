import type { AccessEvent } from '@mneme/contracts';
import type { Recorded } from '@mneme/event-store';
import type { ClientBulkWriteModel, Collection, Document } from 'mongodb';
import type { AccessCollections } from './collections.ts';

export type Row = { readonly _id: number };
/** To whichever collection. */
export type Write = ClientBulkWriteModel<Record<string, Row & Document>>;

/** What an event changes in the rows. */
export function writesOf(rows: AccessCollections, event: Recorded<AccessEvent>): readonly Write[] {
  const createdAt = new Date(event.time);
  switch (event.type) {
    case 'UserJoined': {
      const { userId, spaceId, projectId } = event.data;
      return [put(rows.users, userId, { spaceId, projectId })];
    }
    case 'SpaceCreated': {
      const { spaceId, name, spaceType: type, ownerId } = event.data;
      const { sequence } = event.position;
      return [put(rows.spaces, spaceId, { name, type, ownerId, createdAt, hasKeys: false, sequence })];
    }
    case 'ProjectCreated': {
      const { projectId, spaceId, name } = event.data;
      return [put(rows.projects, projectId, { spaceId, name, createdAt })];
    }
    case 'KeyIssued': {
      const { keyId, commandId, ...issued } = event.data;
      return [
        put(rows.keys, keyId, { ...issued, isActive: true, createdAt }),
        set(rows.spaces, issued.spaceId, { hasKeys: true }),
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

function put<R extends Row>(rows: Collection<R>, _id: number, row: Omit<R, '_id'>): Write {
  return { name: 'replaceOne', namespace: rows.namespace, filter: { _id }, replacement: row, upsert: true };
}

function set<R extends Row>(rows: Collection<R>, _id: number, fields: Partial<R>): Write {
  return { name: 'updateOne', namespace: rows.namespace, filter: { _id }, update: { $set: fields } };
}
