import { type AccessEvent, accessEvents, accessStream } from '@mneme/contracts';
import {
  hashedLanes,
  type MessagePlace,
  mongoStore,
  type ReadModel,
  type ReadModelDefinition,
} from '@mneme/read-models';
import type { Db, MongoClient } from 'mongodb';
import { writesOf } from './row-writes.ts';
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
export function accessReadModel(client: MongoClient, db: Db): ReadModelDefinition<AccessEvent, AccessCollections> {
  return {
    ...{ name: 'access', form: '2', stream: accessStream.name, catalog: accessEvents, types },
    lanes: hashedLanes(4, aggregateOf),
    store: (version) => {
      const collections = accessCollections(db, version);
      return mongoStore<AccessEvent, AccessCollections>({
        ...{ client, db, collections },
        createIndexes: () => createIndexes(collections),
        writesOf: (events) => events.flatMap((event) => writesOf(collections, event)),
      });
    },
  };
}

/** An aggregate of the rows is one of the log; numbers that are given out have no rows. */
export function aggregateOf({ subject }: Pick<MessagePlace, 'subject'>): string | undefined {
  return /^access\.(user|space|project|key)\./.test(subject) ? subject : undefined;
}
