import { createHash } from 'node:crypto';
import type { LaneScheme } from '../definition.ts';

/**
 * Divides aggregates evenly over lanes by a hash of their name.
 * @param aggregateOf the aggregate whose rows a message changes; undefined for messages that change no row
 */
export function hashedLanes(count: number, aggregateOf: LaneScheme['aggregateOf']): LaneScheme {
  return { count, aggregateOf, laneOf: (aggregate) => hashOf(aggregate) % count };
}

function hashOf(text: string): number {
  return createHash('md5').update(text, 'utf8').digest().readUInt32BE(0);
}
