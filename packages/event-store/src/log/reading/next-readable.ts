import type { Log } from '../log.ts';
import { lastSequence, nextSequence } from './leader-read.ts';

/** The sequence of the first message from `from` on that matches and can be read, from the leader; undefined when there is none. */
export function nextReadable(log: Log, subject: string, from: number): Promise<number | undefined> {
  return searchReadable(from, {
    next: (asked) => nextSequence(log, subject, asked),
    last: () => lastSequence(log, subject),
  });
}

/** What a server is asked. */
export interface ReadableQuestions {
  /** The first message from a sequence on; undefined as well where a file that cannot be read comes first. */
  readonly next: (from: number) => Promise<number | undefined>;
  /** The last message; 0 when there is none. */
  readonly last: () => Promise<number>;
}

/**
 * The first sequence from `from` on that a server can read.
 *
 * A server that meets a file which it cannot read answers as if there were nothing from there on. Each question that leads
 * into such a file makes it read the file again, which takes up to 0.1 s, so they are asked at growing distances: of two
 * damaged files with a good one between, that one may be passed over if it has less than an eighth of the messages before it.
 */
export async function searchReadable(from: number, ask: ReadableQuestions): Promise<number | undefined> {
  const next = await ask.next(from);
  if (next !== undefined) return next;
  let found = await ask.last();
  if (found < from) return undefined;
  let hidden = from - 1;
  // From `from` once more: what was found last may have been appended after the first question.
  for (let asked = from; asked < found; asked += Math.max(1, (asked - from) >> 3)) {
    if ((await ask.next(asked)) === undefined) hidden = asked;
    else found = asked;
  }
  while (found - hidden > 1) {
    const asked = Math.floor((hidden + found) / 2);
    if ((await ask.next(asked)) === undefined) hidden = asked;
    else found = asked;
  }
  return ask.next(found);
}
