import { setTimeout as pause } from 'node:timers/promises';
import type { DomainEvent } from '@mneme/contracts';
import { reasonOf } from '../errors.ts';
import type { Retry } from '../lanes/lane-access.ts';
import type { LaneAnswer } from '../lanes/lane-requests.ts';
import { AggregateRetry, type AggregateRetryOptions } from './aggregate-retry.ts';
import { isFaultOfEvents } from './lane-guard.ts';
import { maxReasonLength } from './message-reader.ts';

export interface RetryOptions<E extends DomainEvent> extends AggregateRetryOptions<E> {
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
    await new AggregateRetry(options, { lane, deferral, discarded }).run();
    return { done: true, reason: null };
  } catch (error) {
    const reason = reasonOf(error).slice(0, maxReasonLength);
    return { done: false, reason, isFault: await isFaultOfEvents(options.store, error) };
  } finally {
    release();
    options.onFree();
  }
}
