import type { ConnectionOptions } from '@nats-io/transport-node';

export type NatsAddress = Pick<ConnectionOptions, 'user' | 'pass' | 'token'> & {
  /** Without credentials, so that they can be logged. */
  readonly servers: string[];
};

/**
 * Parses `NATS_URL`: one address, or several separated by commas, such as `nats://user:password@host:4222` or
 * `nats://token@host:4222`. The NATS client ignores credentials in an address, so they have to become options of their
 * own. The first ones count for all servers. Reserved characters in them are percent-encoded.
 *
 * @returns options of `connect`
 */
export function natsAddress(url: string): NatsAddress {
  const parts = url.split(',').map((address) => splitAddress(address.trim()));
  const userInfo = parts.find((part) => part.userInfo !== '')?.userInfo;
  return { servers: parts.map(({ server }) => server), ...(userInfo !== undefined && credentialOf(userInfo)) };
}

function splitAddress(address: string): { server: string; userInfo: string } {
  const schemeEnd = address.indexOf('://');
  const hostStart = schemeEnd === -1 ? 0 : schemeEnd + '://'.length;
  const at = address.lastIndexOf('@');
  if (at < hostStart) return { server: address, userInfo: '' };
  return { server: address.slice(0, hostStart) + address.slice(at + 1), userInfo: address.slice(hostStart, at) };
}

function credentialOf(userInfo: string): Pick<NatsAddress, 'user' | 'pass' | 'token'> {
  const colon = userInfo.indexOf(':');
  if (colon === -1) return { token: decode(userInfo) };
  return { user: decode(userInfo.slice(0, colon)), pass: decode(userInfo.slice(colon + 1)) };
}

/** A password with a `%` that was not percent-encoded is used as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
