import { memoryStream, WireError } from '@mneme/contracts';
import { parsePosition } from '@mneme/event-store';

/**
 * Reads `X-Min-Event-Position`.
 * @returns the sequence in the memory's event log that a read must have seen; undefined when the header is not there
 * @throws WireError 400 when it is no position of that log
 */
export function parseMinPosition(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const position = parsePosition(header.trim());
  if (position?.stream === memoryStream.name) return position.sequence;
  const message = `Invalid X-Min-Event-Position: it must be ${memoryStream.name}:<sequence>, as in X-Event-Position`;
  throw new WireError({ status: 400, code: 'BAD_REQUEST', message });
}
