import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The headers by which senders name a delivery, the first one that is there counts. */
const headerNames = ['webhook-id', 'x-github-delivery', 'idempotency-key'] as const;
/** A longer id is known by its hash, in characters. */
const maxLength = 255;

/** What the sender calls this delivery, whatever it sends to which try of it; undefined when it does not say. */
export function senderDeliveryIdIn(headers: IncomingHttpHeaders): string | undefined {
  const given = headerNames.map((name) => headers[name]).find((value) => typeof value === 'string' && value !== '');
  if (typeof given !== 'string') return undefined;
  return given.length <= maxLength ? given : `sha256:${createHash('sha256').update(given, 'latin1').digest('hex')}`;
}
