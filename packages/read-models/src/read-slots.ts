import { busy, type Metrics, type RequestContext, wholeNumber } from '@mneme/service-kit';
import { createFairLimiter, type Slot } from '@mneme/workers/fair-limiter';
import type { Owner } from '@mneme/workers/fair-queue';

/**
 * How many reads one instance of a service works on at once, for its configuration. They share one thread and the stores, so
 * more are hardly faster.
 */
export const queryConcurrency = wholeNumber({ min: 1, max: 1_024, default: 8 });
/** How many wait at most. At three milliseconds each, the last of them is answered after three seconds. */
const maxWaiting = 1_024;
/** A read that takes longer waits for a store, which may be away. On a busy machine reads take half a second. */
const maxHoldMs = 1_000;

/**
 * Gives slots for reads round-robin to tenants, and to the members of each: a tenant who sends many at once waits for them, and
 * no other does. What waits for something else, such as a position or a model that is served elsewhere, is to do so
 * without a slot.
 */
export interface ReadSlots {
  /** @throws WireError 503 when too many reads wait, most of them of the same tenant */
  run<T>(owner: Owner, work: (slot: Slot) => Promise<T>, context: Pick<RequestContext, 'signal'>): Promise<T>;
}

export interface ReadSlotsOptions {
  readonly metrics: Metrics;
  /** The name of the service. */
  readonly service: string;
  readonly atOnce: number;
}

export function createReadSlots({ metrics, service, atOnce }: ReadSlotsOptions): ReadSlots {
  const limiter = createFairLimiter({ atOnce, maxWaiting, maxHoldMs, refusal: () => busy(service) });
  const waits = metrics.histogram({
    name: 'mneme_read_slot_wait_seconds',
    help: 'How long a read waited for a slot among the reads of all tenants',
    labels: ['service'],
  });
  return {
    run: (owner, work, { signal }) => {
      const askedAt = performance.now();
      const begin = (slot: Slot) => {
        waits.observe({ service }, (performance.now() - askedAt) / 1_000);
        return work(slot);
      };
      return limiter.run(owner, begin, signal);
    },
  };
}
