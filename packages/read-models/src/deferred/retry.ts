import type { DomainEvent } from '@mneme/contracts';
import { faultOf, LeaseLapsedError } from '../applying/lane-guard.ts';
import { maxReasonLength } from '../applying/message-reader.ts';
import { reasonOf } from '../errors.ts';
import type { Retry } from '../lanes/lane-access.ts';
import type { LaneAnswer } from '../lanes/lane-requests.ts';
import { AggregateRetry, type AggregateRetryOptions } from './aggregate-retry.ts';

export interface RetryOptions<E extends DomainEvent> extends AggregateRetryOptions<E> {
  /** Called when the lane can be written by others again. */
  readonly onFree: () => void;
}

/** Applies what an aggregate has waited with, as soon as nothing else writes for its lane. */
export async function retryInLane<E extends DomainEvent>(
  options: RetryOptions<E>,
  { lane, aggregate, discarded, waitMs }: Retry,
): Promise<LaneAnswer> {
  const release = await lane.occupyWhenFree(waitMs);
  try {
    if (!release || !lane.isOwned) return { done: false, reason: 'The lane is busy; try again' };
    // The holder alone knows what waits. An instance that lost the lane without noticing may miss what was deferred since.
    if (!options.isHeld()) throw new LeaseLapsedError();
    const deferral = lane.deferrals.get(aggregate);
    if (!deferral) return { done: true, reason: null };
    await new AggregateRetry(options, { lane, deferral, discarded }).run();
    return { done: true, reason: null };
  } catch (error) {
    const reason = reasonOf(error).slice(0, maxReasonLength);
    return { done: false, reason, isFault: (await faultOf(options, error)) === 'events' };
  } finally {
    release?.();
    options.onFree();
  }
}
