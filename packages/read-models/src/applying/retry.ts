import { setTimeout as pause } from 'node:timers/promises';
import type { DomainEvent } from '@mneme/contracts';
import { decodeEvent, type Log, type Recorded, readDirect, type StoredMessage, typeOf } from '@mneme/event-store';
import type { ClientSession } from 'mongodb';
import type { Commit, ReadModelDefinition } from '../definition.ts';
import { reasonOf } from '../errors.ts';
import { stayOf } from '../lanes/checkpoints.ts';
import type { Deferral, Lane } from '../lanes/lane.ts';
import type { Retry } from '../lanes/lane-access.ts';
import type { LaneAnswer } from '../lanes/lane-requests.ts';
import type { BatchWriterOptions } from './batch-writer.ts';
import { LaneLostError } from './lane-guard.ts';

export interface RetryOptions<E extends DomainEvent>
  extends Pick<BatchWriterOptions<E>, 'store' | 'checkpoints' | 'deferrals' | 'transact' | 'createdAt'> {
  readonly definition: ReadModelDefinition<E, unknown>;
  readonly log: Log;
  /** Called when the lane can be written by others again. */
  readonly onFree: () => void;
}

/** How often it is looked whether a lane is free, in milliseconds. */
const pollMs = 50;

/** Applies what an aggregate has waited with, as soon as nothing else writes for its lane. */
export async function retryInLane<E extends DomainEvent>(
  options: RetryOptions<E>,
  { lane, aggregate, discarded, waitMs }: Retry,
): Promise<LaneAnswer> {
  const deadline = Date.now() + waitMs;
  lane.isReserved = true;
  try {
    while (lane.isInWork && Date.now() < deadline) await pause(pollMs);
  } finally {
    lane.isReserved = false;
  }
  const deferral = lane.deferrals.get(aggregate);
  if (!deferral) return { done: true, reason: null };
  if (!lane.isOwned || lane.isInWork) return { done: false, reason: 'The lane is busy; try again' };
  const release = lane.occupy();
  try {
    await retryDeferred(options, lane, deferral, discarded);
    return { done: true, reason: null };
  } catch (error) {
    return { done: false, reason: reasonOf(error) };
  } finally {
    release();
    options.onFree();
  }
}

/** Writes down that everything up to a sequence is applied. */
type Advance = (upTo: number, session: ClientSession) => Promise<void>;

const page = { limit: 250, maxBytes: 4 * 1024 * 1024, timeoutMs: 5_000 };
const eventsAtOnce = 200;

/**
 * Applies what an aggregate has waited with: the event that could not be applied, and everything after it up to where the
 * lane is, in order. The lane must be in work for this alone.
 * @param discarded the sequence of an event to leave out for good
 * @throws the error of the event that still cannot be applied; what came before it is applied
 */
async function retryDeferred<E extends DomainEvent>(
  options: RetryOptions<E>,
  lane: Lane,
  deferral: Deferral,
  discarded?: number,
): Promise<void> {
  const { deferrals } = options;
  const { opening } = lane;
  const upTo = lane.tracker.position();
  let current = deferral;
  try {
    for (let from = deferral.from; from <= upTo; ) {
      const { messages, next } = await readPage(options, lane, { ...deferral, from }, upTo);
      const wanted = messages.filter(({ sequence }) => sequence !== discarded);
      for (let start = 0; start < wanted.length; start += eventsAtOnce) {
        // Lost and gained again, the lane may have been written by another instance in between.
        if (!lane.isOwned || lane.opening !== opening) throw new LaneLostError('The lane was taken over; try again');
        const batch = wanted.slice(start, start + eventsAtOnce);
        const after = wanted[start + eventsAtOnce]?.sequence ?? next;
        const advance: Advance = (upTo, session) =>
          deferrals.advance(deferral.aggregate, Math.min(upTo + 1, after), session);
        await applyBatch(options, lane, batch, advance);
        current = { ...current, from: after };
      }
      from = next;
    }
  } finally {
    lane.deferrals.set(deferral.aggregate, current);
  }
  await deferrals.remove(deferral.aggregate);
  lane.deferrals.delete(deferral.aggregate);
}

/** The aggregate's messages on one page of the lane, and where the next page begins. */
async function readPage<E extends DomainEvent>(
  { definition, log }: RetryOptions<E>,
  lane: Lane,
  { aggregate, from }: Deferral,
  upTo: number,
): Promise<{ messages: StoredMessage[]; next: number }> {
  const subject = definition.lanes.subjectOf?.(lane.index) ?? definition.subjects ?? '>';
  const { messages } = await readDirect(log.connection, { stream: log.stream, subject, from, ...page });
  const found: StoredMessage[] = [];
  for (const message of messages) {
    if (message.sequence > upTo) break;
    if ((await definition.lanes.aggregateOf(message)) === aggregate) found.push(message);
  }
  return { messages: found, next: Math.min(messages.at(-1)?.sequence ?? upTo, upTo) + 1 };
}

async function applyBatch<E extends DomainEvent>(
  options: RetryOptions<E>,
  lane: Lane,
  messages: readonly StoredMessage[],
  advance: Advance,
): Promise<void> {
  const { definition, store, checkpoints, transact } = options;
  const isUsed = (message: StoredMessage) => {
    const type = typeOf(message);
    if (type !== undefined && definition.ignoredTypes?.includes(type)) return false;
    return type === undefined || !definition.catalog.definitions.has(type) || definition.types.includes(type);
  };
  const events: Recorded<E>[] = messages.filter(isUsed).map((message) => decodeEvent(definition.catalog, message));
  // As the lane is now: if it is opened again meanwhile, what was read before must not be written.
  const stay = stayOf(lane);
  const commit: Commit = (upTo, write) =>
    transact(async (session) => {
      await checkpoints.move([stay], options.createdAt(), session);
      await advance(upTo, session);
      await write(session);
    });
  try {
    if (events.length > 0) await store.apply({ events, lanes: [{ lane: lane.index, events }] }, commit);
  } catch (error) {
    store.forgetLane?.(lane.index);
    throw error;
  }
}
