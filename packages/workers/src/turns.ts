/** After so many milliseconds of small steps, other work of the process gets its turn. */
const longestTurnMs = 4;

/** Divides work of many small steps into turns of the event loop: `if (turns.isOver()) await turns.next();` after a step. */
export interface Turns {
  isOver(): boolean;
  /** Resolves when other work had its turn. */
  next(): Promise<void>;
}

/** The first turn begins now. */
export function createTurns(): Turns {
  let endsAt = performance.now() + longestTurnMs;
  return {
    isOver: () => performance.now() >= endsAt,
    next: async () => {
      await nextTurn();
      endsAt = performance.now() + longestTurnMs;
    },
  };
}

/** What each item becomes, in order. Does not keep the process busy for long, however many there are. */
export async function mapInTurns<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const mapped: R[] = [];
  const turns = createTurns();
  for (const item of items) {
    mapped.push(map(item));
    if (turns.isOver()) await turns.next();
  }
  return mapped;
}

const waiting: (() => void)[] = [];

/**
 * Resolves when other work had its turn. In one turn of the event loop only one of those who wait here goes on: the parts of
 * several long works that run at the same time do not add up to one long wait for everybody else.
 */
export function nextTurn(): Promise<void> {
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
