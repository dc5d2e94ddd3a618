import { threadId } from 'node:worker_threads';

export function echo(input: unknown): unknown {
  return input;
}

/** Never returns. */
export function spin(): void {
  for (;;);
}

export function busy(ms: number): number {
  const end = performance.now() + ms;
  while (performance.now() < end);
  return threadId;
}

/** Holds more and more until it is ended. */
export function hoard(): number {
  const held: number[][] = [];
  for (;;) held.push(new Array(100_000).fill(held.length));
}

export function fail(message: string): never {
  throw new TypeError(message);
}
