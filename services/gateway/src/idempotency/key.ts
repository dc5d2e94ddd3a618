import { createHash } from 'node:crypto';
import { WireError } from '@mneme/contracts';

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

/**
 * Reads `Idempotency-Key`; undefined when the header is not there.
 * @throws WireError 400 when it is not 1 to 255 visible ASCII characters
 */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || visibleAscii.test(header)) return header;
  const message = 'Invalid Idempotency-Key: it must be 1 to 255 visible ASCII characters';
  throw new WireError({ status: 400, code: 'BAD_REQUEST', message });
}

/** SHA-256 in hexadecimal over parts that none of the others can run into. */
export function digest(parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('hex');
}
