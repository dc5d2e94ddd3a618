import { HistoryTooLargeError } from '../errors.ts';
import { readDirect } from './direct-read.ts';
import { type Log, reading } from './log.ts';
import type { StoredMessage } from './stored-message.ts';

/** How many messages the server hands out in answer to one request. */
const pageSize = 1000;
/** How many bytes are held in memory at once, beside one message that is larger. */
const pageBytes = 4 * 1024 * 1024;

/** Finds the first subject that matches and has a message; undefined when there is none. */
export async function firstSubject(log: Log, pattern: string): Promise<string | undefined> {
  const query = { stream: log.stream, subject: pattern, from: 1, limit: 1, timeoutMs: log.timeoutMs };
  const page = await reading(log, () => readDirect(log.connection, query));
  return page.messages[0]?.subject;
}

/** Which messages of one literal subject to read: from sequence `from` on, `maxBytes` in all at most. */
export interface SubjectRange {
  readonly subject: string;
  readonly from: number;
  readonly maxBytes: number;
}

/**
 * Reads the messages of one literal subject in order, one page in memory at a time.
 * @throws HistoryTooLargeError when they are larger than `maxBytes` together.
 */
export async function* readPages(
  log: Log,
  { subject, from, maxBytes }: SubjectRange,
): AsyncGenerator<readonly StoredMessage[]> {
  let next = from;
  let bytes = 0;
  for (;;) {
    const query = { stream: log.stream, subject, from: next, limit: pageSize, maxBytes: pageBytes };
    const page = await reading(log, () => readDirect(log.connection, { ...query, timeoutMs: log.timeoutMs }));
    bytes += page.messages.reduce((sum, { data }) => sum + data.byteLength, 0);
    if (bytes > maxBytes) throw new HistoryTooLargeError(subject, maxBytes);
    yield page.messages;
    const last = page.messages.at(-1);
    if (!last || page.left === 0) return;
    next = last.sequence + 1;
  }
}

/** Whether a subject is a pattern rather than the subject of one aggregate. */
export function hasWildcard(subject: string): boolean {
  return subject.split('.').some((token) => token === '*' || token === '>');
}
