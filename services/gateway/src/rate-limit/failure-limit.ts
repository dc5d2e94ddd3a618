import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { countOf, momentOf, secondsUntilBelow, type Window, windowAt, withCount } from './sliding-window.ts';

/** Limits failed credentials per address, against guessing. */
export interface FailureLimit {
  /**
   * Whether to refuse a credential unverified, because too many from its address have failed. A credential that was valid
   * within the last five minutes is never refused, so that no caller can lock out others behind the same address.
   * @returns the seconds to wait, or undefined
   */
  secondsToWait(address: string, credentialHash: string): number | undefined;
  failed(address: string, credentialHash: string): void;
  accepted(credentialHash: string): void;
}

/** How many addresses with failures, and how many valid credentials, are remembered. */
const maxAddresses = 10_000;
const maxAccepted = 10_000;
/** How long a credential counts as recently valid, in milliseconds. */
const acceptedForMs = 5 * 60 * 1_000;

/** @param options.limit how many failures an address may have per 60 s; @param options.clock milliseconds; it must not go back */
export function createFailureLimit({ limit, clock }: { limit: number; clock: () => number }): FailureLimit {
  const failures = new LRUCache<string, Window>({ max: maxAddresses });
  const acceptedAt = new LRUCache<string, number>({ max: maxAccepted });
  const wasValidLately = (hash: string) => clock() - (acceptedAt.get(hash) ?? Number.NEGATIVE_INFINITY) < acceptedForMs;
  return {
    secondsToWait: (address, credentialHash) => {
      const window = failures.get(networkOf(address));
      if (!window) return undefined;
      const moment = momentOf(clock(), window);
      const seconds = secondsUntilBelow(windowAt(window, moment), limit, moment);
      return seconds === 0 || wasValidLately(credentialHash) ? undefined : seconds;
    },
    failed: (address, credentialHash) => {
      acceptedAt.delete(credentialHash);
      const network = networkOf(address);
      const window = failures.get(network) ?? [];
      const moment = momentOf(clock(), window);
      const counted = windowAt(window, moment);
      // Failures beyond the limit do not extend the wait.
      if (countOf(counted) < limit) failures.set(network, withCount(counted, moment, 1));
    },
    accepted: (credentialHash) => void acceptedAt.set(credentialHash, clock()),
  };
}

/** The holder of one IPv6 address usually has its whole /64 network. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').length;
  const all = [...groups, ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...(tail ?? '').split(':')];
  return all
    .slice(0, 4)
    .map((group) => group || '0')
    .join(':');
}
