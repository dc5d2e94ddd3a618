import { WireError } from '@mneme/contracts';
import type { Key } from './decider.ts';

/**
 * How long after a key was made its answer may still be on its way to the gateway that keeps it, in milliseconds. Longer than
 * a command waits for the read model and the buckets.
 */
const answerTakesMs = 6_000;

/** The keys that this process has made lately, by their hashes. */
export interface OwnKeys {
  add(keyHash: string): void;
  has(keyHash: string): boolean;
}

/** Needs no bound on its entries: each leaves when it no longer matters. */
export function rememberOwnKeys(): OwnKeys {
  const hashes = new Set<string>();
  return {
    add: (keyHash) => {
      hashes.add(keyHash);
      setTimeout(() => hashes.delete(keyHash), 2 * answerTakesMs).unref();
    },
    has: (keyHash) => hashes.has(keyHash),
  };
}

/**
 * Decides whether a repeated command may make another key, which ends the first one. One that this process has carried out
 * has failed afterwards, or it would not come again; one of another process may be about to be answered.
 * @param now by the clock of this process; that of another one may differ
 * @throws WireError 503 as long as the answer of another process may be on its way
 */
export function assertAnswerLost(key: Key, commandId: string, own: OwnKeys, now: Date): void {
  if (key?.madeAt === undefined || key.commandId !== commandId || own.has(key.keyHash)) return;
  const ageMs = now.getTime() - Date.parse(key.madeAt);
  if (Math.abs(ageMs) >= answerTakesMs) return;
  const retry_after = Math.min(answerTakesMs, answerTakesMs - ageMs) / 1_000;
  const message = 'The same request is being answered; try again';
  throw new WireError({ status: 503, code: 'UNAVAILABLE', message, extra: { retry_after: Math.ceil(retry_after) } });
}
