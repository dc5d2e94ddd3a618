import { SilentServerError } from '../../errors.ts';
import type { Log, StoredMessage } from '../log.ts';
import { type DirectQuery, readDirect } from './direct-read.ts';
import { nextMessage } from './leader-read.ts';

export type PageQuery = Omit<DirectQuery, 'stream'> & { readonly maxBytes: number };

/** Reads a page of messages from any replica. @throws EventLogUnavailableError when the log does not answer */
export type PageReader = (query: PageQuery) => Promise<readonly StoredMessage[]>;

/** Then it is asked for a page again: it may have been silent because of a lost connection alone. */
const oneByOneMs = 60_000;

/**
 * Reads pages, and messages one by one from the leader for a while after a server was silent, though it is there: for each
 * page of a subject it counts what is left, which takes it minutes in a stream with a damaged file.
 */
export function createPageReader(log: Log): PageReader {
  let oneByOneUntil = 0;
  return async (query) => {
    if (performance.now() < oneByOneUntil) return readOneByOne(log, query);
    try {
      return (await readDirect(log.connection, { stream: log.stream, ...query })).messages;
    } catch (error) {
      if (!(error instanceof SilentServerError)) throw error;
      const messages = await readOneByOne(log, query);
      oneByOneUntil = performance.now() + oneByOneMs;
      return messages;
    }
  };
}

async function readOneByOne(log: Log, { subject, from, limit, maxBytes }: PageQuery): Promise<StoredMessage[]> {
  const messages: StoredMessage[] = [];
  for (let [next, bytes] = [from, 0]; messages.length < limit && bytes < maxBytes; ) {
    const message = await nextMessage(log, subject, next);
    if (!message) break;
    messages.push(message);
    next = message.sequence + 1;
    bytes += message.data.byteLength;
  }
  return messages;
}
