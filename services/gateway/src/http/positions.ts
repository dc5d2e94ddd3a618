import { parsePosition } from '@mneme/event-store';
import { joinReads } from '@mneme/workers/joined-reads';
import { LRUCache } from 'lru-cache';
import { badRequest } from '../errors.ts';
import { eventStreams } from '../event-logs.ts';

const streams: ReadonlySet<string> = new Set(eventStreams.map(({ name }) => name));

/** In milliseconds. A log that was restored from a backup ends earlier than it did. */
const knownForMs = 5_000;

/** Reads the header `X-Min-Event-Position`, and knows how far the streams of the event log reach. */
export interface PositionReader {
  /**
   * A caller may send the position of its last write with any read.
   * @param stream the stream that the read is about
   * @returns the sequence in that stream that a read must have seen; undefined without the header, and for a position in
   * another stream of Mneme
   * @throws WireError 400 when it is no position, or is beyond the end of the stream
   */
  read(header: string | undefined, stream: string): Promise<number | undefined>;
  /** Whether a stream has an event at this sequence, or had one. */
  hasReached(stream: string, sequence: number): Promise<boolean>;
}

/**
 * Requests the head of a stream only when a position is beyond the last known head, and once for all requests that arrive
 * at the same time.
 * @param headOf the sequence of the last event of a stream
 */
export function createPositionReader(headOf: (stream: string) => Promise<number>): PositionReader {
  const knownHeads = new LRUCache<string, number>({ max: streams.size, ttl: knownForMs });
  const askHead = joinReads(headOf);
  const hasReached = async (stream: string, sequence: number) => {
    if (sequence <= (knownHeads.get(stream) ?? 0)) return true;
    const head = await askHead(stream);
    knownHeads.set(stream, head);
    return sequence <= head;
  };
  return {
    hasReached,
    read: async (header, stream) => {
      const sequence = parseMinPosition(header, stream);
      if (sequence === undefined || (await hasReached(stream, sequence))) return sequence;
      throw badRequest(
        'Invalid X-Min-Event-Position: there is no such event yet; send an X-Event-Position as it was given',
      );
    },
  };
}

function parseMinPosition(header: string | undefined, stream: string): number | undefined {
  if (header === undefined) return undefined;
  const position = parsePosition(header.trim());
  if (position?.stream === stream) return position.sequence;
  if (position && streams.has(position.stream)) return undefined;
  throw badRequest(`Invalid X-Min-Event-Position: it must be ${stream}:<sequence>, as in X-Event-Position`);
}
