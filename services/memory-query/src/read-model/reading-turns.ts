import { busy, type Metrics, type RequestContext } from '@mneme/service-kit';
import { createFairLimiter, type Turn } from '@mneme/workers/fair-limiter';

/** How many wait at most. At three milliseconds each, the last of them is answered after three seconds. */
const maxWaiting = 1_024;

/** A read that takes longer waits for a store, which may be away. */
const longestTurnMs = 250;

/** About whom something is read. */
export interface Asked {
  readonly space: string;
  /** Undefined for all agents of the space. */
  readonly agentId?: string | undefined;
}

/**
 * Lets reads take turns by space, and by agent within it: whoever sends many at once waits for them, and nobody else does.
 * What waits for something else, such as a position or a model that is served elsewhere, is to do so without a turn.
 */
export interface ReadingTurns {
  /** @throws WireError 503 when too many reads wait, most of them of the same space */
  run<T>(asked: Asked, work: (turn: Turn) => Promise<T>, context: Pick<RequestContext, 'signal'>): Promise<T>;
}

export interface ReadingTurnsOptions {
  readonly metrics: Metrics;
  readonly readsAtOnce: number;
}

export function createReadingTurns({ metrics, readsAtOnce: atOnce }: ReadingTurnsOptions): ReadingTurns {
  const limiter = createFairLimiter({ atOnce, maxWaiting, longestTurnMs, refusal: () => busy('memory-query') });
  const waits = metrics.histogram({
    name: 'mneme_read_turn_wait_seconds',
    help: 'How long a read waited for its turn among the reads of all spaces',
  });
  return {
    run: ({ space, agentId = '' }, work, { signal }) => {
      const askedAt = performance.now();
      const begin = (turn: Turn) => {
        waits.observe((performance.now() - askedAt) / 1_000);
        return work(turn);
      };
      return limiter.run([space, agentId], begin, signal);
    },
  };
}
