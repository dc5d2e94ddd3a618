import type { AccessEvent } from '@mneme/contracts';
import type { BucketRoom, EventStore, Ids, StateCache } from '@mneme/event-store';
import type { ReadAfterWrite } from '@mneme/read-models';
import type { AccessPolicy } from '@mneme/service-kit';
import type { AccessCollections } from './access-rows/rows.ts';
import type { Key } from './key/decider.ts';
import type { KnownKeys } from './key/repeats.ts';

/** What the commands and queries of this service work with. */
export interface KeysDeps {
  readonly store: EventStore<AccessEvent>;
  readonly ids: Ids;
  /** The states of keys that were decided about. */
  readonly keyStates: StateCache<Key>;
  readonly knownKeys: KnownKeys;
  /** For the records by which the gateway recognises keys. */
  readonly keyRoom: BucketRoom;
  readonly policy: AccessPolicy;
  /** How many spaces, projects and keys one user may have, of each kind. */
  readonly itemsPerUser: number;
  readonly clock: () => Date;
  /** Makes a new secret key. */
  readonly newKey: () => string;
  /** The collections of the read model's live version. */
  readonly rows: () => AccessCollections;
  readonly progress: ReadAfterWrite;
}
