import { createHash } from 'node:crypto';
import type { StoredMessage } from '@mneme/event-store';

/** Where a message stands, without its data. */
export type MessagePlace = Pick<StoredMessage, 'subject' | 'headers' | 'sequence'>;

/**
 * How events are divided. Events of one aggregate are applied in their order, one lane after the other event by event;
 * lanes do not wait for each other. Both functions must always give the same answer for the same message.
 */
export interface LaneScheme {
  /** How many lanes there are, numbered from 0. */
  readonly count: number;
  /** The aggregate whose rows an event changes; undefined for messages that change no row. */
  aggregateOf(message: MessagePlace): string | undefined | Promise<string | undefined>;
  /** The lane of an aggregate. */
  laneOf(aggregate: string): number;
  /** A subject pattern that matches the lane's messages, if one exists; a lane can then be read by itself. */
  readonly subjectOf?: (lane: number) => string;
  /** Called when the log turns out to be another one: drops what was read from the old one to find aggregates. */
  readonly forget?: (() => void) | undefined;
}

/**
 * Divides aggregates evenly over lanes by a hash of their name.
 * @param aggregateOf the aggregate whose rows a message changes; undefined for messages that change no row
 * @param forget drops what `aggregateOf` remembers of the log
 */
export function hashedLanes(
  count: number,
  aggregateOf: LaneScheme['aggregateOf'],
  forget?: LaneScheme['forget'],
): LaneScheme {
  return { count, aggregateOf, laneOf: (aggregate) => hashOf(aggregate) % count, forget };
}

function hashOf(text: string): number {
  return createHash('md5').update(text, 'utf8').digest().readUInt32BE(0);
}
