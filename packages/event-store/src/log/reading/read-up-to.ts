import type { Log, StoredMessage } from '../log.ts';
import { nextReadable } from './next-readable.ts';
import { createPageReader } from './page-reader.ts';
import { waitForReplica } from './replica-wait.ts';

/** The messages of `subject` (wildcards allowed) from sequence `from` up to sequence `upTo`. */
export interface LogRange {
  readonly subject: string;
  readonly from: number;
  readonly upTo: number;
  /** When it is aborted, the next page is not read. */
  readonly signal?: AbortSignal;
}

const page = { limit: 250, maxBytes: 4 * 1024 * 1024, timeoutMs: 5_000 };
/** How often in a row to wait for a replica that is behind the leader. */
const maxPauses = 250;

/**
 * Reads a part of the log in order, one page in memory at a time, from any replica. Where one has nothing more, the leader
 * is asked whether there is more, so that nothing is left out but what damaged files do not give any more.
 * @throws EventLogUnavailableError when the log does not answer, or only replicas do that stay behind
 */
export async function* readUpTo(log: Log, range: LogRange): AsyncGenerator<readonly StoredMessage[]> {
  const { subject, upTo, signal } = range;
  const readPage = createPageReader(log);
  for (let { from } = range, pauses = 0; from <= upTo; ) {
    signal?.throwIfAborted();
    const messages = await readPage({ subject, from, ...page });
    const last = messages.at(-1);
    if (last) {
      const wanted = last.sequence <= upTo ? messages : messages.filter(({ sequence }) => sequence <= upTo);
      if (wanted.length > 0) yield wanted;
      from = last.sequence + 1;
      pauses = 0;
      continue;
    }
    const next = await nextReadable(log, subject, from);
    if (next === undefined || next > upTo) return;
    if (next > from) {
      from = next;
      continue;
    }
    await waitForReplica({ of: log.stream, pauses, maxPauses });
    pauses += 1;
  }
}
