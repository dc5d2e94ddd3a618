import { isIPv6 } from 'node:net';
import { RecentMap } from './recent-map.ts';
import { countOf, momentOf, secondsUntilBelow, type Window, windowAt, withCount } from './sliding-window.ts';

/** Slows down whoever tries credentials, by address. */
export interface FailureBrake {
  /**
   * Whether a credential is not to be looked at, because too many from its address have failed; one that was good
   * lately is always looked at, so that nobody shuts out others behind the same address.
   * @returns the seconds to wait, or undefined
   */
  secondsToWait(address: string, credentialHash: string): number | undefined;
  failed(address: string, credentialHash: string): void;
  accepted(credentialHash: string): void;
}

/** Of so many addresses failures are remembered, and so many good credentials. */
const maxAddresses = 10_000;
const maxAccepted = 10_000;
/** How long a credential counts as good lately, in milliseconds. */
const acceptedForMs = 5 * 60 * 1_000;

/** @param options.limit how many failures an address may have per 60 s; @param options.clock milliseconds since 1970 */
export function createFailureBrake({ limit, clock }: { limit: number; clock: () => number }): FailureBrake {
  const failures = new RecentMap<Window>(maxAddresses);
  const acceptedAt = new RecentMap<number>(maxAccepted);
  const isGoodLately = (hash: string) => clock() - (acceptedAt.get(hash) ?? Number.NEGATIVE_INFINITY) < acceptedForMs;
  return {
    secondsToWait: (address, credentialHash) => {
      const window = failures.get(networkOf(address));
      if (!window) return undefined;
      const moment = momentOf(clock(), window);
      const seconds = secondsUntilBelow(windowAt(window, moment), limit, moment);
      return seconds === 0 || isGoodLately(credentialHash) ? undefined : seconds;
    },
    failed: (address, credentialHash) => {
      acceptedAt.delete(credentialHash);
      const network = networkOf(address);
      const window = failures.get(network) ?? [];
      const moment = momentOf(clock(), window);
      const counted = windowAt(window, moment);
      // What is beyond the limit does not make the wait longer.
      if (countOf(counted) < limit) failures.set(network, withCount(counted, moment, 1));
    },
    accepted: (credentialHash) => acceptedAt.set(credentialHash, clock()),
  };
}

/** Who has one address of IPv6 has a whole network of 64 bits. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (mapped) return mapped;
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
