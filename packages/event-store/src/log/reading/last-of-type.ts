import { typeOf } from '../decode.ts';
import type { Log } from '../log.ts';
import { lastSequence } from './leader-read.ts';
import { readHeaders } from './read-headers.ts';

/** How many sequences before the last message are looked through first, and how many times as many each time after that. */
const firstRange = 1_000;
const growth = 30;

export interface LastOfType {
  /** Wildcards allowed. */
  readonly subject: string;
  /** Whether to find events of a type. */
  readonly isWanted: (type: string | undefined) => boolean;
  /** Only events after this sequence are read. */
  readonly after: number;
}

/**
 * The sequence of the last event of a wanted type, 0 when there is none. Headers alone are read, from the end of the log
 * backwards: most of what stands before it need not be read.
 */
export async function lastOfType(log: Log, { subject, isWanted, after }: LastOfType): Promise<number> {
  const last = await lastSequence(log, subject);
  for (let range = firstRange; last > after; range *= growth) {
    const before = Math.max(after, last - range);
    const found = await readHeaders(log.connection, {
      stream: log.stream,
      subject,
      startSequence: before + 1,
      pick: (message) => (isWanted(typeOf(message)) ? message.sequence : 0),
    });
    const wanted = found.findLast((sequence) => sequence > 0);
    if (wanted !== undefined) return wanted;
    if (before === after) break;
  }
  return 0;
}
