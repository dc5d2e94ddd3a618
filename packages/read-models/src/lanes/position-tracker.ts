interface Waiter {
  readonly sequence: number;
  readonly settle: (reached: boolean) => void;
}

/** A position that moves, and those who wait for it. */
export interface PositionTracker {
  position(): number;
  /** Sets the position; who waited for it or less is told. */
  moveTo(position: number): void;
  /** Resolves true once the position is at `sequence` or beyond, false after `waitMs` milliseconds. */
  await(sequence: number, waitMs: number): Promise<boolean>;
  hasWaiters(): boolean;
  /** Tells everyone who still waits that it will not happen. */
  close(): void;
}

export function createPositionTracker(start: number): PositionTracker {
  let position = start;
  const waiters = new Set<Waiter>();
  return {
    position: () => position,
    hasWaiters: () => waiters.size > 0,
    moveTo: (next) => {
      position = next;
      for (const waiter of waiters) if (waiter.sequence <= position) waiter.settle(true);
    },
    await: (sequence, waitMs) => {
      if (sequence <= position) return Promise.resolve(true);
      return new Promise((resolve) => {
        const settle = (reached: boolean) => {
          clearTimeout(timer);
          waiters.delete(waiter);
          resolve(reached);
        };
        const waiter = { sequence, settle };
        const timer = setTimeout(() => settle(false), waitMs);
        waiters.add(waiter);
      });
    },
    close: () => {
      for (const waiter of waiters) waiter.settle(false);
    },
  };
}
