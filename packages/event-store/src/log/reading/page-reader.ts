import { SilentServerError } from '../../errors.ts';
import type { Log, StoredMessage } from '../log.ts';
import { type DirectQuery, readDirect } from './direct-read.ts';
import { nextMessage } from './leader-read.ts';

export type PageQuery = Omit<DirectQuery, 'stream'> & { readonly maxBytes: number };

/** Reads a page of messages from any replica. @throws EventLogUnavailableError when the log does not answer */
export type PageReader = (query: PageQuery) => Promise<readonly StoredMessage[]>;

/** How long messages are read one by one after that, in milliseconds. */
const oneByOneMs = 60_000;

/**
 * Reads pages. One that the server is silent about is read message by message from the leader, and so are those of the next
 * minute if that happens twice in a row: for each page of a subject the server counts what is left, which takes it minutes
 * in a stream with a damaged file. A single silence may be that of a lost connection.
 */
export function createPageReader(log: Log): PageReader {
  let oneByOneUntil = 0;
  let silences = 0;
  return async (query) => {
    if (performance.now() < oneByOneUntil) return readOneByOne(log, query);
    try {
      const { messages } = await readDirect(log.connection, { stream: log.stream, ...query });
      silences = 0;
      return messages;
    } catch (error) {
      if (!(error instanceof SilentServerError)) throw error;
      const messages = await readOneByOne(log, query);
      silences += 1;
      if (silences > 1) oneByOneUntil = performance.now() + oneByOneMs;
      return messages;
    }
  };
}

/** What was read before a failure is a page as well. */
async function readOneByOne(log: Log, { subject, from, limit, maxBytes }: PageQuery): Promise<StoredMessage[]> {
  const messages: StoredMessage[] = [];
  for (let [next, bytes] = [from, 0]; messages.length < limit && bytes < maxBytes; ) {
    const message = await nextMessage(log, subject, next).catch((error: unknown) => {
      if (messages.length === 0) throw error;
    });
    if (!message) break;
    messages.push(message);
    next = message.sequence + 1;
    bytes += message.data.byteLength;
  }
  return messages;
}
