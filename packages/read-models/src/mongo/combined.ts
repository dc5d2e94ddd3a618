import DataLoader from 'dataloader';
import type { Db, MongoClient } from 'mongodb';

/** How long a request waits for others that one command can serve as well, in milliseconds. */
const windowMs = 5;

/**
 * Has requests that several read models of a process make at about the same time served by one command for each database.
 * @param answer gives one result for each request, in their order
 */
export function combined<Q, A>(
  answer: (db: Db, requests: readonly Q[]) => Promise<readonly A[]>,
): (db: Db, request: Q) => Promise<A> {
  const loaders = new WeakMap<MongoClient, Map<string, DataLoader<Q, A>>>();
  const loaderOf = (db: Db) => {
    const ofClient = loaders.get(db.client) ?? new Map<string, DataLoader<Q, A>>();
    loaders.set(db.client, ofClient);
    const known = ofClient.get(db.databaseName);
    if (known) return known;
    const batchScheduleFn = (send: () => void) => setTimeout(send, windowMs);
    const made = new DataLoader<Q, A>((requests) => answer(db, requests), { cache: false, batchScheduleFn });
    ofClient.set(db.databaseName, made);
    return made;
  };
  return (db, request) => loaderOf(db).load(request);
}

/**
 * How long to sleep so that what a process does again and again happens at the same time, in milliseconds. Node cuts off
 * fractions, with which a timer would fire just before that time, and once more at it.
 */
export function untilNext(everyMs: number): number {
  return Math.ceil(everyMs - (performance.now() % everyMs)) + 1;
}
