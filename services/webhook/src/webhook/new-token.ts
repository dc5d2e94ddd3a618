import { createHash, randomInt } from 'node:crypto';
import { tokenPrefixLength } from '@mneme/contracts';

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
const tokenLength = 32;

/** 32 characters from a-z and 0-9, by the system's source of randomness. */
export function newToken(): string {
  return Array.from({ length: tokenLength }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** What is kept of a token in the open. */
export function markOf(token: string): { tokenHash: string; tokenPrefix: string } {
  const tokenHash = createHash('sha256').update(token).digest('hex');
  return { tokenHash, tokenPrefix: token.slice(0, tokenPrefixLength) };
}
