import { readDirect } from './direct-read.ts';
import { type Log, reading } from './log.ts';
import type { StoredMessage } from './stored-message.ts';

/** How many messages the server hands out in answer to one request. */
const pageSize = 1000;

/** Finds the first subject that matches and has a message; undefined when there is none. */
export async function firstSubject(log: Log, pattern: string): Promise<string | undefined> {
  const query = { stream: log.stream, subject: pattern, from: 1, limit: 1, timeoutMs: log.timeoutMs };
  const page = await reading(log, () => readDirect(log.connection, query));
  return page.messages[0]?.subject;
}

/** Reads all messages of one literal subject, page by page, in order. */
export async function readSubject(log: Log, subject: string, from = 1): Promise<StoredMessage[]> {
  const messages: StoredMessage[] = [];
  let next = from;
  for (;;) {
    const query = { stream: log.stream, subject, from: next, limit: pageSize, timeoutMs: log.timeoutMs };
    const page = await reading(log, () => readDirect(log.connection, query));
    messages.push(...page.messages);
    const last = page.messages.at(-1);
    if (!last || page.left === 0) return messages;
    next = last.sequence + 1;
  }
}

/** Whether a subject is a pattern rather than the subject of one aggregate. */
export function hasWildcard(subject: string): boolean {
  return subject.split('.').some((token) => token === '*' || token === '>');
}
