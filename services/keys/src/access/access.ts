import { type AccessEvent, accessStream, WireError } from '@mneme/contracts';
import type { EventStore, Position } from '@mneme/event-store';
import type { AccessPolicy } from '../config.ts';
import type { Numbers } from '../number/numbers.ts';
import type { AccessCollections } from '../read-model/collections.ts';

/** What commands and queries of this service work with. */
export interface Access {
  readonly store: EventStore<AccessEvent>;
  readonly numbers: Numbers;
  readonly policy: AccessPolicy;
  readonly clock: () => Date;
  /** Makes a new secret key. */
  readonly newKey: () => string;
  /** The rows of the version that answers. */
  readonly rows: () => AccessCollections;
  readonly progress: AccessProgress;
}

/** Waits until what is derived from the log has caught up with it. */
export interface AccessProgress {
  /**
   * Returns when the read model and the buckets have applied a sequence, so that a command holds everywhere.
   * @throws WireError 503 when that takes longer than 5 s; the command is recorded all the same.
   */
  confirm(sequence: number): Promise<void>;
  /** @throws WireError 503 when the read model does not reach the sequence within 5 s */
  reach(sequence: number | undefined): Promise<void>;
  /** Like `reach`, with everything that is in the log now. */
  catchUp(): Promise<void>;
}

/** Something that follows the log. */
export interface Follower {
  /** Resolves true when it has applied `sequence`, false when that takes longer than `waitMs` milliseconds. */
  await(sequence: number, waitMs: number): Promise<boolean>;
}

const waitMs = 5_000;

export function createProgress(
  { readModel, buckets }: { readModel: Follower; buckets: readonly Follower[] },
  head: () => Promise<number>,
): AccessProgress {
  const reach = async (sequence: number | undefined) => {
    if (sequence === undefined || (await readModel.await(sequence, waitMs))) return;
    throw unavailable(`The read model has not applied event ${sequence} yet; try again`);
  };
  return {
    confirm: async (sequence) => {
      const followers = [readModel, ...buckets];
      const done = await Promise.all(followers.map((follower) => follower.await(sequence, waitMs)));
      if (done.every(Boolean)) return;
      const position = `${accessStream.name}:${sequence}`;
      throw unavailable(`The change is recorded as ${position}, and it is not sure yet that it holds everywhere`);
    },
    reach,
    catchUp: async () => reach(await head()),
  };
}

/**
 * Waits until what a command did, or what it found done, holds everywhere.
 * @param position of what it appended; undefined when that was nothing
 */
export async function confirmCommand(
  { store, progress }: Access,
  subject: string,
  position: Position | undefined,
): Promise<void> {
  await progress.confirm(position?.sequence ?? (await store.head(subject)));
}

/** Looks for a row that never goes away or changes; what the read model lacks is believed to be missing when it has caught up. */
export async function findLasting<T>({ progress }: Access, find: () => Promise<T | null>): Promise<T | undefined> {
  const found = await find();
  if (found) return found;
  await progress.catchUp();
  return (await find()) ?? undefined;
}

function unavailable(message: string): WireError {
  return new WireError({ status: 503, code: 'UNAVAILABLE', message });
}
