import { accessStream, memoryStream, WireError, webhookStream } from '@mneme/contracts';
import { parsePosition } from '@mneme/event-store';

const streams: ReadonlySet<string> = new Set([memoryStream.name, accessStream.name, webhookStream.name]);

/**
 * Reads `X-Min-Event-Position`. A caller may send the position of whatever it has written last to any read.
 * @param stream the one that the read is made from
 * @returns the sequence in that stream that a read must have seen; undefined when there is none to wait for: without
 * the header, and for a position in another stream of Mneme
 * @throws WireError 400 when it is no position
 */
export function parseMinPosition(header: string | undefined, stream: string): number | undefined {
  if (header === undefined) return undefined;
  const position = parsePosition(header.trim());
  if (position?.stream === stream) return position.sequence;
  if (position && streams.has(position.stream)) return undefined;
  const message = `Invalid X-Min-Event-Position: it must be ${stream}:<sequence>, as in X-Event-Position`;
  throw new WireError({ status: 400, code: 'BAD_REQUEST', message });
}
