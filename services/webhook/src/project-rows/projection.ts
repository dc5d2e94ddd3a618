import { type AccessEvent, accessEvents, accessStream, type SpaceType } from '@mneme/contracts';
import { hashedLanes, type MongoWrite, mongoStore, put, type ReadModelDefinition } from '@mneme/read-models';
import type { Collection, Db, MongoClient } from 'mongodb';

/** The fields of a space that decide who may manage its projects. */
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

const types: readonly AccessEvent['type'][] = ['SpaceCreated', 'ProjectCreated'];

/** This service's own copy of spaces and projects, made of the events of the keys service. */
export function projectProjection(client: MongoClient, db: Db): ReadModelDefinition<AccessEvent, ProjectCollections> {
  return {
    name: 'webhook_access',
    form: '2',
    stream: accessStream.name,
    catalog: accessEvents,
    types,
    lanes: hashedLanes(1, ({ subject }) => (/^access\.(space|project)\./.test(subject) ? subject : undefined)),
    store: (version) => {
      const collections = projectCollections(db, version);
      return mongoStore<AccessEvent, ProjectCollections>({
        client,
        db,
        collections,
        createIndexes: async () => undefined,
        writesOf: (events) => events.flatMap((event) => writesOf(collections, event)),
      });
    },
  };
}

export function projectCollections(db: Db, version: number): ProjectCollections {
  return {
    spaces: db.collection(`webhook_spaces@${version}`),
    projects: db.collection(`webhook_projects@${version}`),
  };
}

/** What an event changes in the rows. */
export function writesOf(rows: ProjectCollections, event: AccessEvent): MongoWrite[] {
  if (event.type === 'SpaceCreated') {
    const { spaceId, spaceType: type, ownerId } = event.data;
    return [put(rows.spaces, { _id: spaceId, type, ownerId })];
  }
  if (event.type !== 'ProjectCreated') return [];
  return [put(rows.projects, { _id: event.data.projectId, spaceId: event.data.spaceId })];
}
