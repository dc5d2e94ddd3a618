/** How long work of small steps holds the event loop at a time, in milliseconds. */
const sliceMs = 4;

/** Divides long work of small steps: `if (slice.isOver()) await slice.next();` after each step. */
export interface TimeSlice {
  isOver(): boolean;
  /** Lets other work of the process run; the next slice begins when this resolves. */
  next(): Promise<void>;
}

/** The first slice begins now. */
export function createTimeSlice(): TimeSlice {
  let endsAt = performance.now() + sliceMs;
  return {
    isOver: () => performance.now() >= endsAt,
    next: async () => {
      await yieldToEventLoop();
      endsAt = performance.now() + sliceMs;
    },
  };
}

/** What each item becomes, in order. Does not keep the process busy for long, however many there are. */
export async function mapInSlices<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const mapped: R[] = [];
  const slice = createTimeSlice();
  for (const item of items) {
    mapped.push(map(item));
    if (slice.isOver()) await slice.next();
  }
  return mapped;
}

const waiting: (() => void)[] = [];

/**
 * Resolves after other work of the process has run. In one turn of the event loop only one of those who wait here goes on:
 * the parts of several long works that run at the same time do not add up to one long wait for everybody else.
 */
export function yieldToEventLoop(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push(resolve);
  if (waiting.length === 1) afterOneTurn();
  return promise;
}

/** Node runs an immediate of a callback of I/O before timers and other I/O, but one of an immediate after them. */
function afterOneTurn(): void {
  setImmediate(() => setImmediate(goOn));
}

function goOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(goOn);
}
