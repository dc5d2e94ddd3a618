import { createHash, randomBytes } from 'node:crypto';
import { issuedKeyStart } from '@mneme/contracts';
import type { KeyMark } from './decider.ts';

const randomLength = 16;
const prefixLength = 7;

/** Makes a key of 128 random bits. */
export function newKey(): string {
  return issuedKeyStart + randomBytes(randomLength).toString('hex');
}

/** What may be kept of a key. A key is random, so that a plain hash of it cannot be guessed backwards. */
export function markOf(key: string): KeyMark {
  const keyHash = createHash('sha256').update(key).digest('hex');
  return { keyHash, keyPrefix: key.slice(0, prefixLength) };
}
