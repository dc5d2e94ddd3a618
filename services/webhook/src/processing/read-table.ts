import { setTimeout as pause } from 'node:timers/promises';
import { webhookEvents, webhookSubjects } from '@mneme/contracts';
import { decodeEvent, EventLogUnavailableError, type Log, lastSequence, readDirect } from '@mneme/event-store';
import { tableDecider } from '../table/decider.ts';
import type { KnownTable } from './state.ts';

const page = { limit: 250, maxBytes: 4 * 1024 * 1024, timeoutMs: 5_000 };
/** How long to wait for a replica that is behind the leader, in milliseconds, and how often. */
const replicaPauseMs = 20;
const maxPauses = 100;

/**
 * Brings a table up to date with the log, page by page.
 * @param known an earlier state of it; undefined: from its first event on
 * @returns undefined when there is no such table
 */
export async function readTable(
  log: Log,
  tableId: number,
  known: KnownTable | undefined,
): Promise<KnownTable | undefined> {
  const subject = webhookSubjects.table(tableId);
  const head = await lastSequence(log, subject);
  let table: KnownTable = known ?? { ...tableDecider.initialState, revision: 0 };
  for (let pauses = 0; table.revision < head; ) {
    const query = { stream: log.stream, subject, from: table.revision + 1, ...page };
    const { messages } = await readDirect(log.connection, query);
    for (const message of messages) {
      const event = decodeEvent(webhookEvents, message);
      table = { ...tableDecider.evolve(table, event), revision: message.sequence };
    }
    if (messages.length > 0) continue;
    pauses += 1;
    if (pauses > maxPauses) throw new EventLogUnavailableError(`The replicas of ${subject} stay behind their leader`);
    await pause(replicaPauseMs);
  }
  return table.isThere ? table : undefined;
}
