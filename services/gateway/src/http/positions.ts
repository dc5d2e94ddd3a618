import { WireError } from '@mneme/contracts';
import { parsePosition } from '@mneme/event-store';

/**
 * Reads `X-Min-Event-Position`.
 * @param stream the one that the read is made from
 * @returns the sequence in that stream that a read must have seen; undefined when the header is not there
 * @throws WireError 400 when it is no position of that stream
 */
export function parseMinPosition(header: string | undefined, stream: string): number | undefined {
  if (header === undefined) return undefined;
  const position = parsePosition(header.trim());
  if (position?.stream === stream) return position.sequence;
  const message = `Invalid X-Min-Event-Position: it must be ${stream}:<sequence>, as in X-Event-Position`;
  throw new WireError({ status: 400, code: 'BAD_REQUEST', message });
}
