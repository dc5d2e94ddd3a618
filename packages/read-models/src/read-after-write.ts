import type { WireError } from '@mneme/contracts';
import { type EventStore, formatPosition, type Position } from '@mneme/event-store';
import { isUnavailable } from '@mneme/service-kit';
import { behind, late } from './errors.ts';

/** Something that follows the log. */
export interface Follower {
  /**
   * Waits until it has applied a sequence: for one aggregate, or for all.
   * @returns false when that takes longer than `waitMs` milliseconds
   */
  await(sequence: number, waitMs: number, aggregate?: string): Promise<boolean>;
}

/** A read model, as far as waiting for it needs it. */
export interface FollowedReadModel extends Follower {
  /** Waits until an event, and all before it, are applied. @throws WireError 503 when the event could not be applied */
  awaitEvent(sequence: number, waitMs: number): Promise<boolean>;
  /** @throws WireError 503 when an event of the aggregate could not be applied */
  assertCurrent(aggregate: string, sequence?: number): void;
  /** @throws WireError 503 when what was read may be of a store that has lost its data, or an index of it */
  assertIntact(failed?: FailedQuery): Promise<void>;
}

/** What a query has failed with. */
export interface FailedQuery {
  readonly failure: unknown;
  /** When it began, by `performance.now()`. */
  readonly beganAt: number;
}

/** Makes a read see what was written before it. */
export interface ReadAfterWrite {
  /**
   * Returns when the read model and the buckets have applied what a command appended, or what an earlier run of the same
   * command appended, so that it holds everywhere.
   * @param subject of the aggregate that was decided about; other aggregates of the read model are not waited for
   * @param appended the position of the last appended event; undefined when the command appended nothing
   * @returns that position, or the head of the subject, so that a repeated command can report a position too
   * @throws WireError 503 when that takes longer than 5 s; the command is recorded all the same
   */
  confirm(subject: string, appended: Position | undefined): Promise<Position>;
  /** @throws WireError 503 when the read model does not apply the event within 5 s, or could not apply it */
  reach(sequence: number | undefined): Promise<void>;
  /** Like `reach`, with everything that is in the log now; events that could not be applied do not count. */
  catchUp(): Promise<void>;
  /** @throws WireError 503 when an event of the aggregate could not be applied, so that its rows are not up to date */
  assertCurrent(aggregate: string): void;
  /**
   * To be awaited after a query.
   * @param failed if it has failed
   * @throws WireError 503 when what it has read may be of a store that has lost its data, or an index of it
   */
  assertIntact(failed?: FailedQuery): Promise<void>;
}

export interface ReadAfterWriteOptions {
  /** The JetStream stream of the log. */
  readonly stream: string;
  readonly readModel: FollowedReadModel;
  readonly buckets: readonly Pick<FollowedReadModel, 'awaitEvent'>[];
  /** The log of the read model. */
  readonly store: Pick<EventStore<unknown>, 'head'>;
  /** The aggregate of the read model to which a subject belongs; undefined: to any. The subject itself unless given. */
  readonly aggregateOf?: (subject: string) => string | undefined | Promise<string | undefined>;
}

/** What a command of a service has done. */
export interface CommandResult<T> {
  readonly value: T;
  /** Of the last event that the command appended; undefined when it appended none. */
  readonly position: Position | undefined;
}

/** A command with what it works with, as an endpoint serves it. */
export function commandOf<Deps extends { readonly progress: Intact }, Req, Context, T>(
  deps: Deps,
  command: (deps: Deps, request: Req, context: Context) => Promise<CommandResult<T>>,
) {
  return async (request: Req, context: Context) =>
    toReply(await asIntact(deps.progress, () => command(deps, request, context)));
}

/** Of a read model. */
export type Intact = Pick<ReadAfterWrite, 'assertIntact'>;

/**
 * Gives neither an answer nor a refusal that may come from a store which has lost its data.
 * @throws WireError 503 instead
 */
export async function asIntact<T>(readModel: Intact, read: () => Promise<T>): Promise<T> {
  const beganAt = performance.now();
  const answer = await read().catch(async (failure: unknown) => {
    if (!isUnavailable(failure)) await readModel.assertIntact({ failure, beganAt });
    throw failure;
  });
  await readModel.assertIntact();
  return answer;
}

/** The result of a command as it crosses to the caller. */
export function toReply<T>({ value, position }: CommandResult<T>): { value: T; position: string | null } {
  return { value, position: position ? formatPosition(position) : null };
}

const waitMs = 5_000;

export function readAfterWrite(options: ReadAfterWriteOptions): ReadAfterWrite {
  const { stream, readModel, buckets, store, aggregateOf = (subject) => subject } = options;
  return {
    confirm: async (subject, appended) => {
      const position = appended ?? { stream, sequence: await store.head(subject) };
      const { sequence } = position;
      // Before the waits begin: one that is refused while nothing waits for it ends the process.
      const aggregate = await aggregateOf(subject);
      const waits = buckets.map((bucket) => bucket.awaitEvent(sequence, waitMs));
      const done = await Promise.all([readModel.await(sequence, waitMs, aggregate), ...waits]);
      if (!done.every(Boolean)) throw unconfirmed(formatPosition(position));
      return position;
    },
    reach: async (sequence) => {
      if (sequence !== undefined && !(await readModel.awaitEvent(sequence, waitMs))) throw late(sequence);
    },
    catchUp: async () => {
      const sequence = await store.head();
      if (!(await readModel.await(sequence, waitMs))) throw late(sequence);
    },
    assertCurrent: (aggregate) => readModel.assertCurrent(aggregate),
    assertIntact: (failed) => readModel.assertIntact(failed),
  };
}

/**
 * Looks for a row that never goes away or changes; what the read model lacks is believed to be missing when it has caught up.
 * @param aggregate the aggregate whose events make the row, where that is known
 */
export async function findLasting<T>(
  { progress }: { readonly progress: Pick<ReadAfterWrite, 'catchUp' | 'assertCurrent'> },
  aggregate: string | undefined,
  find: () => Promise<T | null>,
): Promise<T | undefined> {
  const found = await find();
  if (found) return found;
  await progress.catchUp();
  const late = await find();
  if (!late && aggregate !== undefined) progress.assertCurrent(aggregate);
  return late ?? undefined;
}

function unconfirmed(position: string): WireError {
  return behind(`The change is recorded as ${position}, and it is not sure yet that it holds everywhere`);
}
