import { WireError } from '@mneme/contracts';
import type { Key } from './decider.ts';

/**
 * How long after a key was made its answer may still be on its way to the gateway that keeps it, in milliseconds. Longer than
 * a command waits for the read model and the buckets.
 */
const answerTakesMs = 6_000;
/** Clocks are taken to differ by less than this, in milliseconds. */
const maxSkewMs = 10 * 60_000;

/** The keys that this process has made, or has seen that another one made, lately; by their hashes. */
export interface KnownKeys {
  noteOwn(keyHash: string): void;
  isOwn(keyHash: string): boolean;
  /** For how long this process has known that another one made a key, in milliseconds; 0 for the first time. */
  foreignForMs(keyHash: string): number;
}

/** @param now a clock that does not jump, in milliseconds */
export function rememberKeys(now: () => number = () => performance.now()): KnownKeys {
  const own = new Map<string, number>();
  const foreign = new Map<string, number>();
  return {
    noteOwn: (keyHash) => void noteFirst(own, keyHash, now()),
    isOwn: (keyHash) => own.has(keyHash),
    foreignForMs: (keyHash) => now() - noteFirst(foreign, keyHash, now()),
  };
}

/**
 * Needs no bound on the entries: each leaves with a later one, once the age of its key tells enough.
 * @returns when it was noted first
 */
function noteFirst(times: Map<string, number>, keyHash: string, nowMs: number): number {
  for (const [known, firstMs] of times) {
    if (nowMs - firstMs <= maxSkewMs + answerTakesMs) break;
    times.delete(known);
  }
  const firstMs = times.get(keyHash) ?? nowMs;
  times.set(keyHash, firstMs);
  return firstMs;
}

/**
 * Checks that a repeated command may make another key, which ends the first one. If this process made the first key, it knows
 * that the reply has failed. If another process made it, the reply may still be on its way. The time of that key is by the clock
 * of the other process, which may be wrong, so the wait counts from when this process learned of the key.
 * @param now by the clock of this process
 * @throws WireError 503 as long as the answer of another process may be on its way
 */
export function assertAnswerLost(key: Key, commandId: string, known: KnownKeys, now: Date): void {
  if (key?.madeAt === undefined || key.commandId !== commandId || known.isOwn(key.keyHash)) return;
  if (now.getTime() - Date.parse(key.madeAt) >= maxSkewMs) return;
  const leftMs = answerTakesMs - known.foreignForMs(key.keyHash);
  if (leftMs <= 0) return;
  const message = 'The same request is being answered; try again';
  const extra = { retry_after: Math.ceil(leftMs / 1_000) };
  throw new WireError({ status: 503, code: 'UNAVAILABLE', message, extra });
}
