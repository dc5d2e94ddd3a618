import { Counts } from './counts.ts';
import { createFairQueue, type Owner } from './fair-queue.ts';

export interface FairLimiterOptions {
  /** How many tasks run at once. */
  readonly atOnce: number;
  /** How many tasks wait at most. */
  readonly maxWaiting: number;
  /** A task that takes longer most likely waits for another server: its slot goes to another task. In milliseconds. */
  readonly maxHoldMs: number;
  /** The error of a task that is turned away because too many wait. */
  readonly refusal: () => Error;
}

/** What a running task has: one of the places for tasks that run at once. */
export interface Slot {
  /** Waits for something that is to hold up no other task, such as another server, and then for the next slot. */
  leave<T>(wait: () => Promise<T>): Promise<T>;
}

/**
 * Runs a limited number of tasks at once. Slots are given round-robin to the owners of those that wait, so that no one waits for all
 * that another has.
 */
export interface FairLimiter {
  /**
   * When too many wait, the last one of the owner with the most is turned away.
   * @throws the refusal when it is turned away, the signal's reason when it is aborted while it waits
   */
  run<T>(owner: Owner, task: (slot: Slot) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** For this many concurrent tasks, one more is reserved for tenants that have none running, since the others may take long. */
const tasksPerReserve = 4;

interface Waiting {
  begin(): void;
  refuse(): void;
  readonly isGone: boolean;
}

export function createFairLimiter({ atOnce, maxWaiting, maxHoldMs, refusal }: FairLimiterOptions): FairLimiter {
  const queue = createFairQueue<Waiting>();
  const withReserve = atOnce + Math.ceil(atOnce / tasksPerReserve);
  /** How many tasks of each tenant run. */
  const running = new Counts<string>();
  let inWork = 0;
  let order = 0;
  const count = (tenant: string, by: number) => {
    inWork += by;
    running.add(tenant, by);
  };
  const isIdle = (tenant: string) => running.of(tenant) === 0;
  const next = () => {
    if (inWork < atOnce) return queue.take();
    return inWork < withReserve ? queue.take(isIdle) : undefined;
  };
  const beginNext = () => {
    for (let found = next(); found; found = next()) {
      if (found.item.isGone) continue;
      count(found.owner[0], 1);
      found.item.begin();
    }
  };
  const acquire = ([tenant, member]: Owner, signal: AbortSignal | undefined): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let isGone = false;
    const giveUp = () => {
      isGone = true;
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    const end = (settle: () => void) => () => {
      signal?.removeEventListener('abort', giveUp);
      settle();
    };
    const waiting = {
      begin: end(resolve),
      refuse: end(() => reject(refusal())),
      get isGone() {
        return isGone;
      },
    };
    order += 1;
    queue.add([tenant, member], order, waiting);
    beginNext();
    if (queue.size > maxWaiting) queue.takeOfMost()?.refuse();
    return promise;
  };
  return {
    run: async (owner, task, signal) => {
      /** Set from when a slot is asked for until it is given back. */
      let begun: Promise<void> | undefined;
      let hasSlot = false;
      let timer: NodeJS.Timeout | undefined;
      let isOver = false;
      /** What it waits for without a slot, perhaps several things at the same time. */
      let away = 0;
      const end = () => {
        if (!hasSlot) return;
        hasSlot = false;
        begun = undefined;
        clearTimeout(timer);
        count(owner[0], -1);
        beginNext();
      };
      const take = async () => {
        signal?.throwIfAborted();
        await acquire(owner, signal);
        hasSlot = true;
        timer = setTimeout(end, maxHoldMs);
        // It may have failed meanwhile.
        if (isOver) end();
      };
      const begin = () => (begun ??= take());
      const leave = async <T>(wait: () => Promise<T>): Promise<T> => {
        away += 1;
        end();
        try {
          return await wait();
        } finally {
          away -= 1;
          if (away === 0 && !isOver) await begin();
        }
      };
      try {
        await begin();
        return await task({ leave });
      } finally {
        isOver = true;
        end();
      }
    },
  };
}
