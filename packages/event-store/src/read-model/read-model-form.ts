import type { DomainEvent, EventCatalog } from '@mneme/contracts';
import type { Collection, Db, MongoClient } from 'mongodb';
import type { Projection } from '../projection/projection.ts';
import type { ProjectionOptions } from '../projection/projection-options.ts';

/** The collections of one version of a read model, by any names. */
// biome-ignore lint/suspicious/noExplicitAny: what the rows are is for the projection and the queries to know.
export type Collections<C> = { readonly [K in keyof C]: Collection<any> };

/** What a read model is made of. */
export interface ReadModelForm<E extends DomainEvent, C extends Collections<C>> {
  /** Under which it keeps its checkpoint, its versions and which one is live. */
  readonly name: string;
  /** Counted up when the rows or what they are made of change; a new version is then filled beside the old one. */
  readonly form: number;
  readonly stream: string;
  readonly catalog: EventCatalog<E>;
  readonly collections: (db: Db, version: number) => C;
  /** Makes the collections with what the queries rely on; does nothing where it exists. */
  readonly createIndexes: (collections: C) => Promise<void>;
  readonly projection: (client: MongoClient, db: Db, version: number) => Projection<E>;
  /** How much is applied at once. */
  readonly batches?: Pick<ProjectionOptions<E>, 'maxBatch' | 'maxBatchBytes' | 'linger'>;
}
