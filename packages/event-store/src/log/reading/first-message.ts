import { type Log, reading, type StoredMessage } from '../log.ts';
import { readDirect } from './direct-read.ts';
import { nextMessage } from './leader-read.ts';

/**
 * Reads the first message of `subject` (wildcards allowed) from sequence `from` on; undefined when there is none. Any replica
 * is asked first, and the leader when that one has none, since it may be behind.
 *
 * A replica takes messages over in order. If it answers with a later message than the one at `from`, that one is no longer in
 * the log, or has another subject.
 * @throws EventLogUnavailableError when the log does not answer
 */
export async function firstMessage(log: Log, subject: string, from: number): Promise<StoredMessage | undefined> {
  const query = { stream: log.stream, subject, from, limit: 1, timeoutMs: log.timeoutMs };
  const { messages } = await reading(log, () => readDirect(log.connection, query));
  return messages[0] ?? nextMessage(log, subject, from);
}
