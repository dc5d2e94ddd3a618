import { type AccessEvent, accessEvents, accessStream, type SpaceType } from '@mneme/contracts';
import { type LiveReadModel, mongoProjection, type Projection, type ReadModelForm } from '@mneme/event-store';
import type { ClientBulkWriteModel, Collection, Db, Document, MongoClient } from 'mongodb';

/** As much of a space as says who may manage what is in it. */
export interface StoredSpace {
  readonly _id: number;
  readonly type: SpaceType;
  readonly ownerId: number;
}

export interface StoredProject {
  readonly _id: number;
  readonly spaceId: number;
}

export interface ProjectCollections {
  readonly spaces: Collection<StoredSpace>;
  readonly projects: Collection<StoredProject>;
}

type Write = ClientBulkWriteModel<Record<string, Document & { _id: number }>>;

const name = 'webhook_access';
const types: readonly AccessEvent['type'][] = ['SpaceCreated', 'ProjectCreated'];

/** This service's own copy of spaces and projects, by the events of the keys service. */
export const projectReadModel: ReadModelForm<AccessEvent, ProjectCollections> = {
  ...{ name, form: 1, stream: accessStream.name, catalog: accessEvents },
  collections: projectCollections,
  // Made beforehand, since none is to be made within a transaction.
  createIndexes: async ({ spaces, projects }) => {
    await Promise.all([spaces.createIndex({ ownerId: 1 }), projects.createIndex({ spaceId: 1 })]);
  },
  projection: projectProjection,
};

export type ProjectReadModel = LiveReadModel<AccessEvent, ProjectCollections>;

function projectCollections(db: Db, version: number): ProjectCollections {
  return {
    spaces: db.collection(`webhook_spaces@${version}`),
    projects: db.collection(`webhook_projects@${version}`),
  };
}

function projectProjection(client: MongoClient, db: Db, version: number): Projection<AccessEvent> {
  const rows = projectCollections(db, version);
  return mongoProjection<AccessEvent, readonly Write[]>({
    ...{ client, db, version, types, name },
    prepare: async (events) => events.flatMap((event) => writesOf(rows, event)),
    write: async (writes, session) => {
      if (writes.length > 0)
        await client.bulkWrite<Record<string, Document & { _id: number }>>(writes, { session, ordered: true });
    },
  });
}

function writesOf(rows: ProjectCollections, event: AccessEvent): Write[] {
  if (event.type === 'SpaceCreated') {
    const { spaceId, spaceType: type, ownerId } = event.data;
    return [put(rows.spaces.namespace, spaceId, { type, ownerId })];
  }
  if (event.type !== 'ProjectCreated') return [];
  return [put(rows.projects.namespace, event.data.projectId, { spaceId: event.data.spaceId })];
}

function put(namespace: string, _id: number, replacement: object): Write {
  return { name: 'replaceOne', namespace, filter: { _id }, replacement, upsert: true };
}
